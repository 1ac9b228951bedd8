import { CSV_START, csvRow } from '@casewatch/service-kit/http/csv';
import type { Caller } from '@casewatch/service-kit/http/route';
import { proOnly } from './pro-required.ts';
import type { SavedCaseStore } from './saved-case-store.ts';

const HEAD = ['Receipt Number', 'Nickname', 'Monitoring', 'Last Status', 'Last Checked', 'Saved'];

/**
 * Returns the caller's saved cases as CSV, newest first; times are ISO 8601 in UTC.
 * @throws AppError PRO_REQUIRED for a free user
 */
export async function exportSavedCases(
  { savedCases }: { savedCases: SavedCaseStore },
  { userId, tier }: Caller,
): Promise<string> {
  if (tier !== 'pro') throw proOnly('Export of case data');
  const rows = (await savedCases.list(userId)).map((one) => [
    one.receiptNumber,
    one.nickname,
    one.monitoringFrequency,
    one.lastKnownStatus,
    one.lastCheckedAt,
    one.createdAt,
  ]);
  return CSV_START + [HEAD, ...rows].map(csvRow).join('');
}
