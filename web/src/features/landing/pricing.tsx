import './pricing.scss';
import { BULK_SEARCH_MAX, FREE_SAVED_CASES_MAX } from '@casewatch/contracts/limits';
import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useEffect, useState } from 'react';
import { BenefitList } from '../../components/benefit-list.tsx';
import { PRIORITY_SUPPORT } from '../../config/pro-benefits.ts';
import { PRO_TRIAL_DAYS } from '../../config/product.ts';
import { AuthLink } from './landing-links.tsx';
import { TRIAL_ACTION_ID, TRIAL_NOTE_ID, type TrialTexts } from './live-texts.ts';
import { readOffer } from './read-offer.ts';

export function Pricing() {
  const trial = trialTexts(useTrialDays());
  return (
    <section className="pricing" id="pricing" aria-labelledby="pricing-title">
      <div className="landing-width pricing-layout">
        <div>
          <h2 id="pricing-title">
            <Trans>Simple pricing</Trans>
          </h2>
          <p className="section-lead">
            <span className="only-with-pro">
              <Trans>Start free. Upgrade to Pro when you want us to monitor your cases for you.</Trans>
            </span>
            <span className="only-without-pro">
              <Trans>Everything on this site is free.</Trans>
            </span>
          </p>
        </div>
        <div className="plan-grid">
          <article className="plan-card" aria-labelledby="plan-free">
            <h3 id="plan-free">
              <Trans>Free</Trans>
            </h3>
            <p className="plan-amount">
              <Price amount="$0" />
              <small>
                <Trans>No card needed</Trans>
              </small>
            </p>
            <BenefitList benefits={freeBenefits()} />
            <AuthLink className="btn btn-outline-secondary btn-lg" isNew>
              <Trans>Start Free</Trans>
            </AuthLink>
          </article>
          <article className="plan-card plan-card-pro only-with-pro" aria-labelledby="plan-pro">
            <p className="plan-flag">
              <Trans>Most Popular</Trans>
            </p>
            <h3 id="plan-pro">Pro</h3>
            <p className="plan-amount">
              <Price amount="$9" />
              <span className="only-plus-tax">
                {' '}
                <Trans>plus tax</Trans>
              </span>
              <small id={TRIAL_NOTE_ID}>{trial.note}</small>
            </p>
            <BenefitList benefits={proBenefits()} />
            <AuthLink className="btn btn-primary btn-lg" next="/upgrade">
              <span id={TRIAL_ACTION_ID}>{trial.action}</span>
            </AuthLink>
          </article>
        </div>
      </div>
    </section>
  );
}

/** Returns what Pro's card says of a trial of some days, or of none. */
export function trialTexts(days: number): TrialTexts {
  if (days <= 0) return { note: t`Cancel anytime.`, action: t`Start Pro` };
  const note = plural(days, {
    one: '#-day free trial. Cancel anytime.',
    other: '#-day free trial. Cancel anytime.',
  });
  return { note, action: t`Start Pro Trial` };
}

/** What the server is set to; until it has answered, what the page was built with. */
function useTrialDays(): number {
  const [days, setDays] = useState<number>(PRO_TRIAL_DAYS);
  useEffect(() => {
    const leaving = new AbortController();
    void readOffer(leaving.signal).then((offer) => offer && setDays(offer.trialDays));
    return () => leaving.abort();
  }, []);
  return days;
}

function freeBenefits(): string[] {
  return [
    t`Single case lookup`,
    t`Up to ${FREE_SAVED_CASES_MAX} saved cases`,
    t`Manual checks`,
    t`Case history timeline`,
    t`Secure storage`,
  ];
}

function proBenefits(): string[] {
  return [
    t`Everything in Free`,
    t`Bulk search of up to ${BULK_SEARCH_MAX} cases at once`,
    t`Unlimited saved cases`,
    t`Automated monitoring: daily, weekly, or monthly`,
    t`Instant status change notifications`,
    PRIORITY_SUPPORT,
    t({ message: 'Export of case data', context: 'what Pro brings' }),
  ];
}

function Price({ amount }: { amount: string }) {
  return (
    <>
      <strong>{amount}</strong>
      <span>
        <Trans>/month</Trans>
      </span>
    </>
  );
}
