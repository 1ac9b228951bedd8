import { i18n, type MessageDescriptor } from '@lingui/core';
import { t } from '@lingui/core/macro';
import { PRIORITY_SUPPORT } from '../config/pro-benefits.ts';
import { Icon } from './icon.tsx';

/** Renders what a plan brings, each with a check before it. */
export function BenefitList({ benefits }: { benefits: readonly (string | MessageDescriptor)[] }) {
  return (
    <ul className="check-list">
      {benefits.map((benefit) => (
        <li
          key={typeof benefit === 'string' ? benefit : benefit.id}
          className={benefit === PRIORITY_SUPPORT ? 'needs-support' : undefined}
        >
          <Icon name="check" />
          {benefitText(benefit)}
        </li>
      ))}
    </ul>
  );
}

function benefitText(benefit: string | MessageDescriptor): string {
  if (benefit === PRIORITY_SUPPORT) return t`Priority support`;
  return typeof benefit === 'string' ? benefit : i18n._(benefit);
}
