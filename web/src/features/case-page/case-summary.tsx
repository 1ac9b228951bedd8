import './case-summary.scss';
import type { CaseStatusResult } from '@casewatch/contracts/cases';
import { guidanceFor } from '@casewatch/contracts/status-guide';
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { languageShown } from '../../lib/format-number.ts';
import { serverNowMs } from '../../lib/server-clock.ts';
import { type CaseTimes, caseTimes, type DayCount } from './case-days.ts';

/** Renders how long a case has had its status, and in one sentence what that means. */
export function CaseSummary({ result }: { result: CaseStatusResult }) {
  const { means } = guidanceFor(result.caseStatus, result.formType, languageShown());
  return (
    <div className="case-summary">
      <p>{firstSentence(means)}</p>
      <Times {...caseTimes(result, serverNowMs())} />
    </div>
  );
}

function firstSentence(text: string): string {
  return /^.*?[\p{Ll})]\.(?=\s\p{Lu}|$)/u.exec(text)?.[0] ?? text;
}

/** Renders since when a case has had its status, and since when the agency has had the case. */
export function Times({ inStatus, isDecided, seenOn, sinceReceipt }: CaseTimes) {
  const status = isDecided ? t`In this status since` : t`Time in this status`;
  return (
    <dl className="case-days">
      <div>
        <dt>{status}</dt>
        <dd>
          {seenOn === undefined ? (
            <Days {...inStatus} />
          ) : (
            <span>
              <Trans>First seen by Casewatch on {seenOn}. USCIS gives no date.</Trans>
            </span>
          )}
        </dd>
      </div>
      {sinceReceipt && (
        <div>
          <dt>
            <Trans>Time since received</Trans>
          </dt>
          <dd>
            <Days {...sinceReceipt} />
          </dd>
        </div>
      )}
    </dl>
  );
}

function Days({ text, since }: DayCount) {
  return (
    <>
      <strong>{text}</strong>{' '}
      {since !== undefined && (
        <span>
          <Trans>since {since}</Trans>
        </span>
      )}
    </>
  );
}
