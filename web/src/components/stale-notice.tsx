import type { CaseStatusResult } from '@casewatch/contracts/cases';
import { formatAge, formatMoment } from '../lib/format-moment.ts';
import { Icon } from './icon.tsx';
import './stale-notice.scss';

/** Says that an older answer is shown, from when it is and why; nothing for a fresh one. */
export function StaleNotice({ result: { stale, observedAt } }: { result: CaseStatusResult }) {
  if (stale === undefined) return null;
  return (
    <p className="stale-notice">
      <Icon name="clock" />
      <span>
        Shown from <time dateTime={observedAt}>{formatMoment(observedAt)}</time> (
        {formatAge(observedAt, Date.now())}): {stale.reason}
      </span>
    </p>
  );
}
