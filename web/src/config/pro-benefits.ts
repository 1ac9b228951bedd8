import { BULK_SEARCH_MAX } from '@casewatch/contracts/limits';
import type { MessageDescriptor } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';

/** Marks a benefit that is shown only where the installation names a contact for support: see `needs-support` in the styles. */
export const PRIORITY_SUPPORT = 'Priority support';

/** What Pro brings, as it is shown where Pro is offered. */
export const PRO_BENEFITS: readonly (string | MessageDescriptor)[] = [
  msg`Bulk search up to ${BULK_SEARCH_MAX} cases at once`,
  msg`Unlimited saved cases`,
  msg`Automated daily, weekly, or monthly monitoring`,
  msg`Instant status change notifications`,
  PRIORITY_SUPPORT,
];

/** Returns what Pro costs, as the product's texts say it; `addsTax`: tax comes on top. */
export function proPrice(addsTax: boolean): string {
  return addsTax ? t`$9/month plus tax` : t`$9/month`;
}
