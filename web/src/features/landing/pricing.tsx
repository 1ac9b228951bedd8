import './pricing.scss';
import { BULK_SEARCH_MAX, FREE_SAVED_CASES_MAX } from '@casewatch/contracts/limits';
import { useEffect, useState } from 'react';
import { BenefitList } from '../../components/benefit-list.tsx';
import { PRIORITY_SUPPORT } from '../../config/pro-benefits.ts';
import { PRO_TRIAL_DAYS } from '../../config/product.ts';
import { AuthLink } from './landing-links.tsx';

const BILLING_CONFIG_PATH = '/api/billing/config';
const FREE = [
  'Single case lookup',
  `Up to ${FREE_SAVED_CASES_MAX} saved cases`,
  'Manual checks',
  'Case history timeline',
  'Secure storage',
];
const PRO = [
  'Everything in Free',
  `Bulk search of up to ${BULK_SEARCH_MAX} cases at once`,
  'Unlimited saved cases',
  'Automated monitoring: daily, weekly, or monthly',
  'Instant status change notifications',
  PRIORITY_SUPPORT,
  'Export of case data',
];

export function Pricing() {
  const trialDays = useTrialDays();
  return (
    <section className="pricing" id="pricing" aria-labelledby="pricing-title">
      <div className="landing-width pricing-layout">
        <div>
          <h2 id="pricing-title">Simple pricing</h2>
          <p className="section-lead">Start free. Move to Pro when you want your cases watched for you.</p>
        </div>
        <div className="plan-grid">
          <article className="plan-card" aria-labelledby="plan-free">
            <h3 id="plan-free">Free</h3>
            <Price amount="$0" note="No card needed" />
            <BenefitList benefits={FREE} />
            <AuthLink className="btn btn-outline-secondary btn-lg">Start Free</AuthLink>
          </article>
          <article className="plan-card plan-card-pro" aria-labelledby="plan-pro">
            <p className="plan-flag">Most Popular</p>
            <h3 id="plan-pro">Pro</h3>
            <Price
              amount="$9"
              note={trialDays > 0 ? `${trialDays}-day free trial. Cancel anytime.` : 'Cancel anytime.'}
            />
            <BenefitList benefits={PRO} />
            <AuthLink className="btn btn-primary btn-lg" next="/upgrade">
              {trialDays > 0 ? 'Start Pro Trial' : 'Start Pro'}
            </AuthLink>
          </article>
        </div>
      </div>
    </section>
  );
}

/** What the server is set to; until it has said so, what the page was built with. */
function useTrialDays(): number {
  const [days, setDays] = useState<number>(PRO_TRIAL_DAYS);
  useEffect(() => {
    const leaving = new AbortController();
    readTrialDays(leaving.signal).then(
      (read) => read !== undefined && setDays(read),
      () => undefined,
    );
    return () => leaving.abort();
  }, []);
  return days;
}

/** Without the app's API client, which this page does not load. */
async function readTrialDays(signal: AbortSignal): Promise<number | undefined> {
  const answer = await fetch(BILLING_CONFIG_PATH, { signal });
  if (!answer.ok) return undefined;
  const { trialDays }: { trialDays?: unknown } = await answer.json();
  return typeof trialDays === 'number' ? trialDays : undefined;
}

function Price({ amount, note }: { amount: string; note: string }) {
  return (
    <p className="plan-amount">
      <strong>{amount}</strong>
      <span>/month</span>
      <small>{note}</small>
    </p>
  );
}
