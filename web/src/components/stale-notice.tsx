import './stale-notice.scss';
import type { CaseStatusResult } from '@casewatch/contracts/cases';
import { formatAge } from '../lib/format-age.ts';
import { formatMoment } from '../lib/format-moment.ts';
import { Icon } from './icon.tsx';

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
