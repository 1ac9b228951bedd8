import { CHECK_CASES_MAX } from '@casewatch/contracts/check-cases';
import { integer, positive, setting } from '@casewatch/service-kit/settings/settings';
import { databaseConnections } from '@casewatch/service-kit/settings/shared-settings';

/** What the monitoring service reads from the environment. */
export const settings = {
  MONITORING_PERIOD_SCALE: setting(positive().default(1), {
    description: 'Multiplies daily, weekly and monthly: 0.0001 makes a day 8.64 s, for demonstrations.',
  }),
  MONITORING_BATCH: setting(integer(1, CHECK_CASES_MAX).default(CHECK_CASES_MAX), {
    description: 'The most watches that are claimed and checked at once; fewer while the budget is short.',
  }),
  MONITORING_BATCHES_AT_ONCE: setting(integer(1, 16).default(2), {
    description:
      'Concurrent batches of one process: one is claimed while another waits for the agency. More than two help with hundreds of calls a second.',
  }),
  MONITORING_LEASE_SECONDS: setting(integer(10, 3_600, 'a request to cases may take 5 seconds').default(60), {
    description:
      'A claimed watch is due again after this time, should its process have died. At least AGENCY_TIMEOUT_MS and BUDGET_WAIT_MS and 2 seconds.',
  }),
  MONITORING_POLL_MS: setting(integer(10, 60_000).default(1_000), {
    description: 'How often an idle scheduler polls for due watches, in milliseconds.',
  }),
  MONITORING_DATABASE_CONNECTIONS: databaseConnections('monitoring', 8),
};
