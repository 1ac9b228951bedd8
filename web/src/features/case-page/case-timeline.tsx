import '../lookup/case-history.scss';
import type { CaseStatusResult } from '@casewatch/contracts/cases';
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { StatusText } from '../../components/status-badge.tsx';
import { formatAgencyDate } from '../../lib/format-agency-date.ts';
import { formatDay } from '../../lib/format-moment.ts';
import { type HistoryEntry, Withdrawn, withKeys } from '../lookup/case-history.tsx';

/** Renders the agency's history and our own observations as one list, newest first, each entry labeled with its source. */
export function CaseTimeline({ entries }: { entries: CaseStatusResult['histCaseData'] }) {
  if (entries.length === 0)
    return (
      <p className="case-history-empty">
        <Trans>No history available</Trans>
      </p>
    );
  return (
    <>
      <ol className="case-history">
        {withKeys(entries).map(({ key, ...entry }) => (
          <li key={key} data-withdrawn={entry.withdrawnAt !== undefined}>
            <StatusText className="case-history-status" status={entry.caseStatus} statusEs={entry.textEs} />
            <span className="case-history-date">{dateOf(entry)}</span>
            <span className="case-history-source">{sourceOf(entry)}</span>
            <Withdrawn since={entry.withdrawnAt} />
          </li>
        ))}
      </ol>
      <p className="case-history-note">
        <Trans>This shows what has happened so far. A case can skip or repeat a status.</Trans>
      </p>
    </>
  );
}

/** The agency's date, else the day on which we first saw the status. */
function dateOf({ statusHistDate, firstObservedAt }: HistoryEntry): string {
  if (statusHistDate !== null || firstObservedAt === null) return formatAgencyDate(statusHistDate);
  return formatDay(firstObservedAt);
}

function sourceOf({ source, firstObservedAt }: HistoryEntry): string {
  if (firstObservedAt === null) return t`From the agency’s history`;
  const seen = formatDay(firstObservedAt);
  return source === 'agency'
    ? t`From the agency’s history, seen by Casewatch on ${seen}`
    : t`Seen by Casewatch on ${seen}`;
}
