import type { ServiceName } from '@casewatch/contracts/route-contract';
import {
  FEWEST_CALLS,
  failingOrSlow,
  OUTAGE_ALERTS,
  UNLESS_DNS_IS_DOWN,
  unlessDown,
} from './outage-alerts.ts';
import { type Alert, last, inRelease as of } from './series.ts';
import { UPKEEP_ALERTS } from './upkeep-alerts.ts';

/** An object, so that the type checker names a service that is missing. */
const SERVICES = Object.keys({
  identity: true,
  cases: true,
  monitoring: true,
  notifications: true,
  billing: true,
  surveys: true,
  'admin-log': true,
} satisfies Record<ServiceName, true>);
const ROLES: readonly string[] = ['gateway', ...SERVICES];

const checks = (...outcome: string[]) => `sum(increase(${of('casewatch_checks_total', ...outcome)}[15m]))`;
const calls = (...outcome: string[]) => `sum(rate(${of('casewatch_agency_calls_total', ...outcome)}[10m]))`;

const LATE = `max(${last('casewatch_watch_lateness_seconds')}) > 7200`;
const HELD_BY_BUDGET = `${checks('outcome="no_budget"')} > 0`;

/** Events of the payment provider that were not refused. */
const ACCEPTED = (window: string) =>
  `sum(increase(${of('casewatch_webhooks_total', 'result!="refused"')}[${window}]))`;

/** What breaks a promise before an objective shows it. */
export const PART_ALERTS: readonly Alert[] = [
  ...OUTAGE_ALERTS,
  ...UPKEEP_ALERTS,
  {
    alert: 'CasewatchChecksLate',
    // A spent quota and an unavailable agency resolve without an operator.
    expr: [LATE, `unless ${HELD_BY_BUDGET}`, `unless ${checks('outcome="failed"')} / ${checks()} > 0.5`].join(
      '\n',
    ),
    for: '15m',
    severity: 'page',
    summary:
      'Watched cases are checked more than two hours late, and neither quota nor agency is the reason.',
    runbook: 'checks-late.md',
  },
  {
    alert: 'CasewatchChecksExceedBudget',
    expr: `${LATE}\nand ${HELD_BY_BUDGET}`,
    for: '1h',
    severity: 'ticket',
    summary:
      "Watched cases are checked more than two hours late because the agency's quota has no calls for them.",
    runbook: 'agency-budget.md',
  },
  {
    alert: 'CasewatchOutboxStuck',
    expr: `max by (service) (${last('casewatch_outbox_oldest_seconds')}) > 60`,
    for: '5m',
    severity: 'page',
    summary: 'Events of {{ $labels.service }} have waited for more than a minute to be published.',
    runbook: 'outbox-stuck.md',
  },
  {
    alert: 'CasewatchConsumerStuck',
    expr: [
      `min_over_time(sum by (group) (${of('casewatch_consumer_lag')})[10m:1m]) > 0`,
      'and',
      `sum by (group) (increase(${of('casewatch_events_handled_total')}[10m])) == 0`,
      unlessDown(),
    ].join('\n'),
    for: '5m',
    severity: 'page',
    summary: '{{ $labels.group }} has messages waiting and handles none.',
    runbook: 'consumer-stuck.md',
  },
  {
    alert: 'CasewatchConsumerLag',
    expr: `sum by (group) (${of('casewatch_consumer_lag')}) > 10000`,
    for: '15m',
    severity: 'ticket',
    summary: '{{ $labels.group }} is more than 10,000 messages behind.',
    runbook: 'consumer-lag.md',
  },
  {
    alert: 'CasewatchDeadLetters',
    expr: `max by (service) (${last('casewatch_dead_letters')}) > 0`,
    for: '5m',
    severity: 'ticket',
    summary: '{{ $labels.service }} has dead-lettered events that it could not apply.',
    runbook: 'dead-letters.md',
  },
  {
    alert: 'CasewatchNoAgencyCaller',
    expr: `max(${of('casewatch_agency_caller')}) == 0\n${unlessDown()}`,
    for: '1m',
    severity: 'page',
    summary: 'No process of cases calls the agency: lookups and scheduled checks wait in vain.',
    runbook: 'no-agency-caller.md',
  },
  {
    alert: 'CasewatchAgencyFailing',
    expr: [
      '(',
      `${calls('outcome=~"failed|timeout"')} / ${calls()} > 0.5`,
      `and ${calls()} * 600 >= ${FEWEST_CALLS}`,
      'or',
      `max(${of('casewatch_agency_breaker_open')}) == 1`,
      'or',
      `sum without (peer) (${failingOrSlow('agency')})`,
      ')',
      UNLESS_DNS_IS_DOWN,
    ].join('\n'),
    for: '5m',
    severity: 'ticket',
    summary:
      'Calls to the agency fail or most take more than a second; stored results are shown with their age.',
    runbook: 'agency-failing.md',
  },
  {
    alert: 'CasewatchAgencyBudgetNearlySpent',
    expr: `max(${last('casewatch_agency_budget_day_used')}) / max(${last('casewatch_agency_budget_day_limit')}) > 0.9`,
    for: '10m',
    severity: 'ticket',
    summary: 'More than nine tenths of the calls that the agency allows today are used.',
    runbook: 'agency-budget.md',
  },
  {
    alert: 'CasewatchAgencyKeysExpire',
    // Of the set that lives longest: the other one is replaced already.
    expr: `14 - max(${last('casewatch_agency_key_days_left')}) > 0`,
    for: '1h',
    severity: 'ticket',
    summary: 'The keys of the agency end within 14 days by the day of their issue.',
    runbook: 'agency-keys.md',
  },
  {
    alert: 'CasewatchAgencyKeysRefused',
    expr: `max by (keys) (${last('casewatch_agency_key_refused')}) == 1`,
    for: '15m',
    severity: 'ticket',
    summary: 'The agency refuses its {{ $labels.keys }} keys; others are used where there are any.',
    runbook: 'agency-keys.md',
  },
  {
    alert: 'CasewatchBillingBehind',
    expr: `max(${last('casewatch_subscription_sync_age_seconds')}) > 600`,
    for: '10m',
    severity: 'ticket',
    summary:
      'A change reported by the payment provider has been pending for more than ten minutes: a tier may be wrong.',
    runbook: 'billing-behind.md',
  },
  {
    alert: 'CasewatchWebhooksRefused',
    // Anyone can send what is refused: it counts only while nothing is accepted.
    expr: `sum(increase(${of('casewatch_webhooks_total', 'result="refused"')}[2h])) > 0\nunless ${ACCEPTED('2h')} > 0`,
    for: '1h',
    severity: 'ticket',
    summary: 'Every event of the payment provider is refused: changes are found by polling only.',
    runbook: 'billing-behind.md',
  },
  {
    alert: 'CasewatchWebhooksMissing',
    expr: `sum(increase(${of('casewatch_subscription_changes_total')}[6h])) > 0\nunless ${ACCEPTED('6h')} > 0`,
    for: '1h',
    severity: 'ticket',
    summary: 'Subscriptions change, and the payment provider sends no events of it.',
    runbook: 'billing-behind.md',
  },
  {
    alert: 'CasewatchWebhookVersion',
    expr: `sum(increase(${of('casewatch_webhooks_total', 'result="other-version"')}[1d])) > 0`,
    for: '5m',
    severity: 'ticket',
    summary: 'Events of the payment provider are written for another version of its API than ours.',
    runbook: 'billing-behind.md',
  },
  {
    alert: 'CasewatchTestPayments',
    expr: `max(${last('casewatch_test_payments')}) == 1`,
    for: '1h',
    severity: 'ticket',
    summary: 'People pay with test money at a public address.',
    runbook: 'billing-behind.md',
  },
  {
    alert: 'CasewatchPushRefused',
    // Longer than the longest wait between two attempts, so that it does not rest in between.
    expr: `sum(increase(${of('casewatch_push_unauthorized_total')}[2h])) > 0`,
    for: '5m',
    severity: 'ticket',
    summary: 'A push service refuses our key: devices get no push messages.',
    runbook: 'push-failing.md',
  },
  {
    alert: 'CasewatchPushStuck',
    expr: `max(${last('casewatch_pushes_oldest_seconds')}) > 1800`,
    for: '10m',
    severity: 'ticket',
    summary: 'A push message has waited for more than half an hour.',
    runbook: 'push-failing.md',
  },
  {
    alert: 'CasewatchMailStuck',
    expr: `max(${last('casewatch_mails_oldest_seconds')}) > 1800`,
    for: '10m',
    severity: 'ticket',
    summary: 'An e-mail about a status change has waited for more than half an hour.',
    runbook: 'mail-stuck.md',
  },
  {
    alert: 'CasewatchDatabasePoolExhausted',
    expr: `max by (service) (${of('casewatch_db_pool_connections', 'state="waiting"')}) > 0\n${unlessDown()}`,
    for: '5m',
    severity: 'ticket',
    summary: 'Requests of {{ $labels.service }} wait for a database connection.',
    runbook: 'database-pool.md',
  },
];

/** Series that the alerts need and a healthy role always exposes: without one of them an alert could never fire. */
const NEEDED: readonly { metric: string; roles: readonly string[]; where?: string }[] = [
  ...['casewatch_watch_lateness_seconds', 'casewatch_checks_total'].map((metric) => ({
    metric,
    roles: ['monitoring'],
  })),
  ...[
    'casewatch_outbox_oldest_seconds',
    'casewatch_consumer_lag',
    'casewatch_dead_letters',
    'casewatch_db_pool_connections',
  ].map((metric) => ({ metric, roles: SERVICES })),
  ...[
    'casewatch_agency_caller',
    'casewatch_agency_calls_total',
    'casewatch_agency_breaker_open',
    'casewatch_agency_key_refused',
    'casewatch_agency_budget_day_used',
    'casewatch_agency_budget_day_limit',
  ].map((metric) => ({ metric, roles: ['cases'] })),
  { metric: 'casewatch_audit_trail_broken', roles: ['admin-log'] },
  { metric: 'casewatch_subscription_sync_age_seconds', roles: ['billing'] },
  ...['casewatch_push_unauthorized_total', 'casewatch_pushes_oldest_seconds'].map((metric) => ({
    metric,
    roles: ['notifications'],
  })),
  // Only where e-mails are sent.
  { metric: 'casewatch_mails_oldest_seconds', roles: ['notifications'], where: of('casewatch_mails_total') },
];

/** Which processes there are: one role each, or `all` roles in one (`mode: single` of the chart). */
export type Layout = 'distributed' | 'single';

/** Returns what would make the other alerts blind: a role that is not scraped, a metric that is missing, a gauge that can't be read. */
export const blindnessAlerts = (layout: Layout): readonly Alert[] => [
  {
    alert: 'CasewatchRoleAway',
    expr: [
      `sum by (role) (${of('up')}) == 0`,
      // A crash loop is up now and then.
      `or max by (role) (avg_over_time(${of('up')}[10m])) < 0.5`,
      ...(layout === 'single' ? ['all'] : ROLES).map((role) => `or absent(${of('up', `role="${role}"`)})`),
    ].join('\n'),
    for: '5m',
    severity: 'page',
    summary:
      'No process of {{ $labels.role }} answers scrapes, or none for half of the time, or no target exists.',
    runbook: 'role-away.md',
  },
  {
    alert: 'CasewatchMetricsMissing',
    expr: `(${NEEDED.map((needed) => missing(needed, layout)).join('\nor\n')})\n${unlessDown()}`,
    for: '15m',
    severity: 'page',
    summary:
      '{{ $labels.role }} is scraped but does not report {{ $labels.metric }}: its alerts cannot fire.',
    runbook: 'metrics-missing.md',
  },
  {
    alert: 'CasewatchGaugesUnreadable',
    expr: `sum by (role, gauge) (increase(${of('casewatch_gauge_read_failures_total')}[15m])) > 5\n${unlessDown()}`,
    for: '10m',
    severity: 'ticket',
    summary: '{{ $labels.role }} cannot read {{ $labels.gauge }}, or not within 3 s.',
    runbook: 'metrics-missing.md',
  },
];

/** Roles that are scraped (or expose `where`) and do not expose the metric, labeled with it. */
function missing({ metric, roles, where }: (typeof NEEDED)[number], layout: Layout): string {
  const exposing = layout === 'single' ? 'all' : roles.join('|');
  const expected = where ?? `${of('up', `role=~"${exposing}"`)} == 1`;
  const found = `group by (role) (${of(metric)})`;
  return `label_replace(group by (role) (${expected}) unless on (role) ${found}, "metric", "${metric}", "", "")`;
}
