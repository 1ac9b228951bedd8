import type { BulkResultItem, CaseStatusResult } from '@casewatch/contracts/cases';

interface Announced {
  isPending: boolean;
  result?: CaseStatusResult | undefined;
  items?: readonly BulkResultItem[] | undefined;
}

/** Tells screen readers that a look-up began and what came of it; failures are told by their toast. */
export function ResultsAnnouncement(announced: Announced) {
  return (
    <p className="visually-hidden" role="status">
      {textOf(announced)}
    </p>
  );
}

function textOf({ isPending, result, items }: Announced): string {
  if (isPending) return 'Checking...';
  if (result) return `${result.receiptNumber}: ${result.caseStatus}`;
  if (!items) return '';
  const failed = items.filter(({ success }) => !success).length;
  return `Results: ${items.length}${failed > 0 ? `, without a status: ${failed}` : ''}`;
}
