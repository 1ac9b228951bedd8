import type { BulkResultItem } from '@casewatch/contracts/cases';
import { isReceiptNumber, normaliseReceiptNumber } from '@casewatch/contracts/receipt-number';
import { AppError } from '@casewatch/service-kit/errors/app-error';
import type { Logger } from '@casewatch/service-kit/runtime/logger';
import type { LookUpCase } from './look-up-case.ts';
import type { UserRequester } from './lookup.ts';

/**
 * Looks up many cases, side by side within the budget: one item per distinct receipt number, in the order asked.
 * A bad item fails alone.
 * @throws AppError PRO_REQUIRED for a free user
 */
export async function lookUpCases(
  deps: { lookUpCase: LookUpCase; logger: Logger },
  /** Of one lookup each. */
  newRequester: () => UserRequester,
  receiptNumbers: readonly string[],
): Promise<BulkResultItem[]> {
  if (newRequester().tier !== 'pro') throw new AppError('PRO_REQUIRED', 'pro-bulk-search');
  const distinct = [...new Set(receiptNumbers.map(normaliseReceiptNumber))];
  return Promise.all(distinct.map((receiptNumber) => lookUpItem(deps, newRequester, receiptNumber)));
}

async function lookUpItem(
  { lookUpCase, logger }: { lookUpCase: LookUpCase; logger: Logger },
  newRequester: () => UserRequester,
  receiptNumber: string,
): Promise<BulkResultItem> {
  if (!isReceiptNumber(receiptNumber)) {
    return { success: false, receiptNumber, ...new AppError('VALIDATION', 'receipt-number-invalid').body };
  }
  const requester = newRequester();
  const { requestId } = requester.lookup;
  try {
    const data = await lookUpCase(receiptNumber, requester);
    return { success: true, receiptNumber, data };
  } catch (error) {
    const isKnown = error instanceof AppError;
    if (!isKnown) logger.error({ err: error }, 'an item of a bulk lookup failed');
    const { status, body } = isKnown ? error : new AppError('INTERNAL', 'lookup-failed');
    return { success: false, receiptNumber, ...body, ...(status >= 500 ? { requestId } : {}) };
  }
}
