import type { CaseStatusResult } from '@casewatch/contracts/cases';
import { Trans } from '@lingui/react/macro';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Link } from 'react-router-dom';
import { caseStatusQueryKey } from '../../api/saved-case-data.ts';
import { useSavedCasesOf } from '../../api/saved-cases.ts';
import { StatusText } from '../../components/status-badge.tsx';
import { formatDay } from '../../lib/format-moment.ts';
import { clearRecent, type RecentLookup, readRecent, rememberRecent } from '../../lib/recent-lookups.ts';

interface RecentLookupsProps {
  userId: string;
  /** The answer on the screen: the newest of them. */
  result: CaseStatusResult | undefined;
  onCleared: () => void;
}

const openStore = () => localStorage;

/** Renders the cases looked up last on this device, each leading to its page. */
export function RecentLookups({ userId, result, onCleared }: RecentLookupsProps) {
  const [recent, setRecent] = useState(() => readRecent(openStore, userId));
  const receiptNumber = result?.receiptNumber;
  const status = result?.caseStatus;
  const statusEs = result?.statusEs;
  const at = result?.observedAt;
  useEffect(() => {
    if (receiptNumber === undefined || status === undefined) return;
    setRecent(rememberRecent(openStore, userId, { receiptNumber, status, statusEs, at }));
  }, [userId, receiptNumber, status, statusEs, at]);

  const shown = useNewest(recent.filter((one) => one.receiptNumber !== receiptNumber));
  if (shown.length === 0) return null;
  const clear = () => {
    clearRecent(openStore, userId);
    setRecent([]);
    onCleared();
  };
  return (
    <section className="recent-lookups" aria-labelledby="recent-lookups">
      <div className="recent-lookups-head">
        <h3 id="recent-lookups">
          <Trans>Recent on this device</Trans>
        </h3>
        <button type="button" className="btn btn-link btn-sm" onClick={clear}>
          <Trans>Clear</Trans>
        </button>
      </div>
      <ul>
        {shown.map((one) => (
          <li key={one.receiptNumber}>
            <Link className="receipt-number" to={`/cases/${one.receiptNumber}`}>
              {one.receiptNumber}
            </Link>{' '}
            <StatusText status={one.status} statusEs={one.statusEs} />
            {one.at !== undefined && (
              <>
                {' '}
                <time dateTime={one.at}>{formatDay(one.at)}</time>
              </>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** What is known of each by now: other screens may have looked it up since, and a saved case is checked by itself. */
function useNewest(recent: readonly RecentLookup[]): readonly RecentLookup[] {
  const client = useQueryClient();
  const saved = useSavedCasesOf(recent.map(({ receiptNumber }) => receiptNumber)).data ?? [];
  return recent.map((one) => {
    const { receiptNumber } = one;
    const looked = client.getQueryData<CaseStatusResult>(caseStatusQueryKey(receiptNumber));
    const kept = saved.find((savedCase) => savedCase.receiptNumber === receiptNumber);
    const known: RecentLookup[] = [one];
    if (looked)
      known.push({
        receiptNumber,
        status: looked.caseStatus,
        statusEs: looked.statusEs,
        at: looked.observedAt,
      });
    if (kept?.lastKnownStatus && kept.lastCheckedAt)
      known.push({
        receiptNumber,
        status: kept.lastKnownStatus,
        statusEs: kept.statusEs,
        at: kept.lastCheckedAt,
      });
    return known.reduce((newest, other) => ((other.at ?? '') > (newest.at ?? '') ? other : newest));
  });
}
