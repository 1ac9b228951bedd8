import { PRIORITY_SUPPORT } from '../config/pro-benefits.ts';
import { Icon } from './icon.tsx';

/** What a plan brings, each with a check before it. */
export function BenefitList({ benefits }: { benefits: readonly string[] }) {
  return (
    <ul className="check-list">
      {benefits.map((benefit) => (
        <li key={benefit} className={benefit === PRIORITY_SUPPORT ? 'needs-support' : undefined}>
          <Icon name="check" />
          {benefit}
        </li>
      ))}
    </ul>
  );
}
