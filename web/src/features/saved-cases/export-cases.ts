import type { SavedCase } from '@casewatch/contracts/cases';
import { writeCsv } from '../../lib/csv.ts';

const HEAD = ['Receipt Number', 'Nickname', 'Tags', 'Monitoring', 'Last Status', 'Last Checked', 'Saved'];

/** Downloads these cases as CSV; an import takes the file as it is. */
export function exportCases(cases: readonly SavedCase[]): void {
  const url = URL.createObjectURL(new Blob([caseRows(cases)], { type: 'text/csv' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = 'selected-cases.csv';
  link.click();
  URL.revokeObjectURL(url);
}

export function caseRows(cases: readonly SavedCase[]): string {
  return writeCsv([
    HEAD,
    ...cases.map((one) => [
      one.receiptNumber,
      one.nickname,
      one.tags.join(', '),
      one.monitoringFrequency,
      one.lastKnownStatus,
      one.lastCheckedAt,
      one.createdAt,
    ]),
  ]);
}
