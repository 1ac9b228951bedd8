import { BULK_SEARCH_MAX, FREE_SAVED_CASES_MAX } from '@casewatch/contracts/limits';
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Icon } from '../../components/icon.tsx';
import { PRIORITY_SUPPORT } from '../../config/pro-benefits.ts';

type Has = boolean | string;
const rows = (): readonly (readonly [feature: string, free: Has, pro: Has])[] => [
  [t`Single case lookup`, true, true],
  [t`Case history timeline`, true, true],
  [t`Saved cases`, t`Up to ${FREE_SAVED_CASES_MAX}`, t`Unlimited`],
  [t`Bulk search`, false, t`Up to ${BULK_SEARCH_MAX}`],
  [t`Automated monitoring`, false, true],
  [t`Status change notifications`, false, true],
  [PRIORITY_SUPPORT, false, true],
];

/** Renders what Free and Pro bring, side by side. */
export function PlanComparison() {
  return (
    <section className="card profile-card" aria-labelledby="plan-comparison">
      <h2 id="plan-comparison">
        <Trans>Feature comparison</Trans>
      </h2>
      <table className="plan-comparison">
        <thead>
          <tr>
            <th scope="col">
              <Trans>Feature</Trans>
            </th>
            <th scope="col">{t({ message: 'Free', context: 'plan' })}</th>
            <th scope="col">Pro</th>
          </tr>
        </thead>
        <tbody>
          {rows().map(([feature, free, pro]) => (
            <tr key={feature} className={feature === PRIORITY_SUPPORT ? 'needs-support' : undefined}>
              <th scope="row">{feature === PRIORITY_SUPPORT ? t`Priority support` : feature}</th>
              <td>
                <Cell has={free} />
              </td>
              <td>
                <Cell has={pro} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Cell({ has }: { has: Has }) {
  if (typeof has === 'string') return has;
  return (
    <>
      <Icon name={has ? 'check' : 'minus'} />
      <span className="visually-hidden">{has ? t`Yes` : t`No`}</span>
    </>
  );
}
