/** Every status that was looked up; going back to a screen shows it again without a call. */
const caseStatusesQueryKey = ['case-status'] as const;

export const caseStatusQueryKey = (receiptNumber: string) =>
  [...caseStatusesQueryKey, receiptNumber] as const;

export const bulkQueryKey = (receiptNumbers: readonly string[]) =>
  [...caseStatusesQueryKey, 'bulk', ...receiptNumbers] as const;
