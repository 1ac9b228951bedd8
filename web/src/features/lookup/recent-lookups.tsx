import type { CaseStatusResult } from '@casewatch/contracts/cases';
import { Trans } from '@lingui/react/macro';
import { useEffect, useState } from 'react';
import { Link } from 'react-router-dom';
import { StatusText } from '../../components/status-badge.tsx';
import { clearRecent, readRecent, rememberRecent } from '../../lib/recent-lookups.ts';

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
  useEffect(() => {
    if (receiptNumber === undefined || status === undefined) return;
    setRecent(rememberRecent(openStore, userId, { receiptNumber, status, statusEs }));
  }, [userId, receiptNumber, status, statusEs]);

  const shown = recent.filter((one) => one.receiptNumber !== receiptNumber);
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
          </li>
        ))}
      </ul>
    </section>
  );
}
