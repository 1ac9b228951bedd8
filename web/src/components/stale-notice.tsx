import type { CaseStatusResult } from '@casewatch/contracts/cases';
import { Trans } from '@lingui/react/macro';
import { formatAge, formatMoment } from '../lib/format-moment.ts';
import { serverNowMs } from '../lib/server-clock.ts';
import { serverText } from '../lib/server-texts.ts';
import { AgencyMessage } from './agency-message.tsx';
import { Icon } from './icon.tsx';
import './stale-notice.scss';

/** Says that an older answer is shown, from when it is and why; nothing for a fresh one. */
export function StaleNotice({ result: { stale, observedAt } }: { result: CaseStatusResult }) {
  if (stale === undefined) return null;
  const moment = formatMoment(observedAt);
  const age = formatAge(observedAt, serverNowMs());
  const reason = serverText({ ...stale, error: stale.reason });
  return (
    <p className="stale-notice">
      <Icon name="clock" />
      <span>
        <Trans>
          As of <time dateTime={observedAt}>{moment}</time> ({age}): {reason}
        </Trans>
        <AgencyMessage words={stale.agencyMessage} />
      </span>
    </p>
  );
}
