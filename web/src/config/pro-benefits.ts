import { BULK_SEARCH_MAX } from '@casewatch/contracts/limits';

/** What Pro brings, as it is said where Pro is offered. */
export const PRO_BENEFITS = [
  `Bulk search up to ${BULK_SEARCH_MAX} cases at once`,
  'Unlimited saved cases',
  'Automated daily, weekly, or monthly monitoring',
  'Instant status change notifications',
  'Priority support',
];
