import { BULK_SEARCH_MAX } from '@casewatch/contracts/limits';

/** Said only where the installation names a contact for support: see `needs-support` in the styles. */
export const PRIORITY_SUPPORT = 'Priority support';

/** What Pro brings, as it is said where Pro is offered. */
export const PRO_BENEFITS = [
  `Bulk search up to ${BULK_SEARCH_MAX} cases at once`,
  'Unlimited saved cases',
  'Automated daily, weekly, or monthly monitoring',
  'Instant status change notifications',
  PRIORITY_SUPPORT,
];
