import { Trans } from '@lingui/react/macro';
import { StatusText } from '../../components/status-badge.tsx';
import './case-history.scss';
import type { CaseStatusResult } from '@casewatch/contracts/cases';
import { formatAgencyDate } from '../../lib/format-agency-date.ts';
import { formatDay } from '../../lib/format-moment.ts';

type History = CaseStatusResult['histCaseData'];
export type HistoryEntry = History[number];

/** Renders the steps of a case as a timeline, newest first. */
export function CaseHistory({ entries }: { entries: History }) {
  if (entries.length === 0) {
    return (
      <p className="case-history-empty">
        <Trans>No history available</Trans>
      </p>
    );
  }
  return (
    <ol className="case-history">
      {withKeys(entries).map(({ key, caseStatus, textEs, statusHistDate, withdrawnAt }) => (
        <li key={key} data-withdrawn={withdrawnAt !== undefined}>
          <StatusText className="case-history-status" status={caseStatus} statusEs={textEs} />
          <span className="case-history-date">{formatAgencyDate(statusHistDate)}</span>
          <Withdrawn since={withdrawnAt} />
        </li>
      ))}
    </ol>
  );
}

/** Marks a step that the agency no longer lists; nothing for one that it does. */
export function Withdrawn({ since }: { since: string | undefined }) {
  if (since === undefined) return null;
  const day = formatDay(since);
  return (
    <span className="case-history-withdrawn">
      <Trans>Withdrawn: not in the agency’s history since {day}</Trans>
    </span>
  );
}

/** Returns the keys of steps: of two that are alike in every word, the second gets one of its own. */
export function withKeys(entries: History) {
  const seen = new Map<string, number>();
  return entries.map((entry) => {
    const words = `${entry.statusHistDate} ${entry.caseStatus}`;
    const times = (seen.get(words) ?? 0) + 1;
    seen.set(words, times);
    return { ...entry, key: `${words} ${times}` };
  });
}
