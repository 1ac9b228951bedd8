import { BULK_SEARCH_MAX, FREE_SAVED_CASES_MAX } from '@casewatch/contracts/limits';
import { Icon } from '../../components/icon.tsx';
import { PRIORITY_SUPPORT } from '../../config/pro-benefits.ts';

type Has = boolean | string;
const ROWS: readonly (readonly [feature: string, free: Has, pro: Has])[] = [
  ['Single case lookup', true, true],
  ['Case history timeline', true, true],
  ['Saved cases', `Up to ${FREE_SAVED_CASES_MAX}`, 'Unlimited'],
  ['Bulk search', false, `Up to ${BULK_SEARCH_MAX}`],
  ['Automated monitoring', false, true],
  ['Status change notifications', false, true],
  [PRIORITY_SUPPORT, false, true],
];

/** What Free and Pro bring, side by side. */
export function PlanComparison() {
  return (
    <section className="card profile-card" aria-labelledby="plan-comparison">
      <h2 id="plan-comparison">Feature Comparison</h2>
      <table className="plan-comparison">
        <thead>
          <tr>
            <th scope="col">Feature</th>
            <th scope="col">Free</th>
            <th scope="col">Pro</th>
          </tr>
        </thead>
        <tbody>
          {ROWS.map(([feature, free, pro]) => (
            <tr key={feature} className={feature === PRIORITY_SUPPORT ? 'needs-support' : undefined}>
              <th scope="row">{feature}</th>
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
      <span className="visually-hidden">{has ? 'Yes' : 'No'}</span>
    </>
  );
}
