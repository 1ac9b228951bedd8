import type { BulkResultItem, CaseStatusResult } from '@casewatch/contracts/cases';
import { t } from '@lingui/core/macro';
import { shownStatus } from '../../components/status-badge.tsx';

interface Announced {
  isPending: boolean;
  result?: CaseStatusResult | undefined;
  items?: readonly BulkResultItem[] | undefined;
}

/** Announces to screen readers that a lookup began and its result; failures are announced by their toast. */
export function ResultsAnnouncement(announced: Announced) {
  return (
    <p className="visually-hidden" role="status">
      {textOf(announced)}
    </p>
  );
}

function textOf({ isPending, result, items }: Announced): string {
  if (isPending) return t`Checking...`;
  if (result)
    return `${result.receiptNumber}: ${shownStatus({ status: result.caseStatus, statusEs: result.statusEs }).text}`;
  if (!items) return '';
  const failed = items.filter(({ success }) => !success).length;
  return failed > 0 ? t`Results: ${items.length}, without a status: ${failed}` : t`Results: ${items.length}`;
}
