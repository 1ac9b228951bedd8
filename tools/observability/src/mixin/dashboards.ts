import { BURN_RATES, OBJECTIVES, RECORDED } from './objectives.ts';
import { dashboard, type Row, type Variable } from './panels.ts';
import { inChosen as of } from './series.ts';

const REQUESTS = 'http_server_request_duration_seconds';
const CALLS = 'http_client_request_duration_seconds';
const NOTIFIED = 'casewatch_change_to_notification_seconds';
const SERVICE = 'service="$service"';

const rate = (series: string) => `rate(${series}[$__rate_interval])`;
const sumBy = (labels: string, series: string) => `sum by (${labels}) (${rate(series)})`;
const quantile = (q: number, labels: string, series: string) =>
  `histogram_quantile(${q}, sum by (${labels}) (${rate(series)}))`;

const CLUSTER: Variable = {
  name: 'cluster',
  label: 'Cluster',
  query: 'label_values(up{release!="",role!=""}, cluster)',
  many: true,
};
const NAMESPACE: Variable = {
  name: 'namespace',
  label: 'Namespace',
  query: 'label_values(up{cluster=~"$cluster",release!="",role!=""}, namespace)',
  many: true,
};
const RELEASE: Variable = {
  name: 'release',
  label: 'Release',
  query: 'label_values(up{cluster=~"$cluster",namespace=~"$namespace",role!=""}, release)',
  many: true,
};
const ROLE: Variable = {
  name: 'role',
  label: 'Role',
  query: `label_values(${of('up')}, role)`,
  many: true,
};
const SERVED: Variable = {
  name: 'service',
  label: 'Service',
  query: `label_values(${of(`${REQUESTS}_count`)}, service)`,
  many: false,
};
const OF_ROLE = 'role=~"$role"';
const PROVIDERS = 'peer=~"agency|stripe"';

const PARTS: readonly Row[] = [
  {
    title: 'Requests by route',
    panels: [
      {
        title: 'Requests per second',
        description: 'By route pattern.',
        unit: 'reqps',
        series: { '{{http_route}}': sumBy('http_route', of(`${REQUESTS}_count`, SERVICE)) },
      },
      {
        title: 'Errors',
        description: 'Share of responses with a 5xx status.',
        unit: 'percentunit',
        series: {
          '{{http_route}}': `${sumBy('http_route', of(`${REQUESTS}_count`, SERVICE, 'http_response_status_code=~"5.."'))} / ${sumBy('http_route', of(`${REQUESTS}_count`, SERVICE))}`,
        },
      },
      {
        title: 'Duration, 95th percentile',
        unit: 's',
        series: {
          '{{http_route}}': quantile(
            0.95,
            'http_route, le',
            of(`${REQUESTS}_bucket`, SERVICE, 'http_route!~".*stream"'),
          ),
        },
      },
      {
        title: 'Outgoing calls, 95th percentile',
        unit: 's',
        series: { '{{peer}}': quantile(0.95, 'peer, le', of(`${CALLS}_bucket`, OF_ROLE)) },
      },
      {
        title: 'Outgoing calls by outcome',
        unit: 'reqps',
        series: { '{{peer}} {{outcome}}': sumBy('peer, outcome', of(`${CALLS}_count`, OF_ROLE)) },
      },
      {
        title: 'Refused by a limit',
        unit: 'reqps',
        series: { '{{limit}}': sumBy('limit', of('casewatch_rate_limited_total', OF_ROLE)) },
      },
    ],
  },
  {
    title: 'Dependencies',
    panels: [
      {
        title: 'Answers within a second',
        description: 'CasewatchDependencyDown pages when one answers no process of a role.',
        series: {
          '{{dependency}} {{role}}': `max by (dependency, role) (${of('casewatch_dependency_up', OF_ROLE)})`,
        },
      },
      {
        title: 'Calls of providers that fail',
        description:
          'Share of calls; CasewatchAgencyFailing and CasewatchProviderFailing open tickets above half.',
        unit: 'percentunit',
        series: {
          '{{peer}}': `${sumBy('peer', of(`${CALLS}_count`, PROVIDERS, 'outcome=~"failed|timeout"'))} / ${sumBy('peer', of(`${CALLS}_count`, PROVIDERS))}`,
        },
      },
      {
        title: 'Deliveries that no server accepts',
        unit: 'reqps',
        series: {
          'e-mails': `sum(${rate(of('casewatch_mails_total', 'result="unavailable"'))})`,
          'push messages': `sum(${rate(of('casewatch_pushes_total', 'result="retried"'))})`,
        },
      },
      {
        title: "Answers that are the agency's or the quota's fault",
        description: 'Failed or slower than a second: outside the objectives.',
        unit: 'reqps',
        series: { '{{fault}}': sumBy('fault', of(`${REQUESTS}_count`, 'fault!=""')) },
      },
    ],
  },
  {
    title: 'Outboxes',
    panels: [
      {
        title: 'Pending events',
        description: 'Counted up to 10,000.',
        series: { '{{service}}': `max by (service) (${of('casewatch_outbox_depth', OF_ROLE)})` },
      },
      {
        title: 'Oldest pending event',
        description: 'CasewatchOutboxStuck pages above 60 s.',
        unit: 's',
        series: { '{{service}}': `max by (service) (${of('casewatch_outbox_oldest_seconds', OF_ROLE)})` },
      },
      {
        title: 'Published per second',
        series: { '{{topic}}': sumBy('topic', of('casewatch_events_published_total', OF_ROLE)) },
      },
    ],
  },
  {
    title: 'Consumers',
    panels: [
      {
        title: 'Lag',
        series: { '{{group}}': `sum by (group) (${of('casewatch_consumer_lag', OF_ROLE)})` },
      },
      {
        title: 'Handled per second',
        series: {
          '{{group}} {{outcome}}': sumBy('group, outcome', of('casewatch_events_handled_total', OF_ROLE)),
        },
      },
      {
        title: 'Handling, 95th percentile',
        unit: 's',
        series: {
          '{{group}}': quantile(0.95, 'group, le', of('casewatch_event_handling_seconds_bucket', OF_ROLE)),
        },
      },
      {
        title: 'Dead letters',
        series: { '{{service}}': `max by (service) (${of('casewatch_dead_letters', OF_ROLE)})` },
      },
    ],
  },
  {
    title: 'Agency budget',
    panels: [
      { title: 'Caller', series: { '{{pod}}{{instance}}': `${of('casewatch_agency_caller')} == 1` } },
      {
        title: 'Calls by source and outcome',
        unit: 'reqps',
        series: { '{{source}} {{outcome}}': sumBy('source, outcome', of('casewatch_agency_calls_total')) },
      },
      {
        title: 'Calls of the day',
        series: {
          used: `max(${of('casewatch_agency_budget_day_used')})`,
          limit: `max(${of('casewatch_agency_budget_day_limit')})`,
        },
      },
      {
        title: 'Refused by the budget',
        unit: 'reqps',
        series: { '{{reason}}': sumBy('reason', of('casewatch_agency_budget_refusals_total')) },
      },
      {
        title: 'Calls that wait for their turn',
        series: { '{{source}}': `max by (source) (${of('casewatch_agency_budget_queue_depth')})` },
      },
      {
        title: 'The oldest of them has waited',
        unit: 's',
        series: { oldest: `max(${of('casewatch_agency_budget_queue_oldest_seconds')})` },
      },
      {
        title: 'Wait, 95th percentile',
        unit: 's',
        series: {
          '{{source}}': quantile(0.95, 'source, le', of('casewatch_agency_budget_wait_seconds_bucket')),
        },
      },
      { title: 'Circuit breaker', series: { open: `max(${of('casewatch_agency_breaker_open')})` } },
    ],
  },
  {
    title: 'Scheduled checks',
    panels: [
      {
        title: 'Watches',
        series: {
          all: `max(${of('casewatch_watches')})`,
          due: `max(${of('casewatch_watches_due')})`,
        },
      },
      {
        title: 'Lateness of the oldest check',
        description: 'CasewatchChecksLate pages above two hours.',
        unit: 's',
        series: { late: `max(${of('casewatch_watch_lateness_seconds')})` },
      },
      {
        title: 'Checks by outcome',
        unit: 'reqps',
        series: { '{{outcome}}': sumBy('outcome', of('casewatch_checks_total')) },
      },
      {
        title: 'From a change to its notification',
        unit: 's',
        series: {
          median: quantile(0.5, 'le', of(`${NOTIFIED}_bucket`)),
          '95th percentile': quantile(0.95, 'le', of(`${NOTIFIED}_bucket`)),
          '99th percentile': quantile(0.99, 'le', of(`${NOTIFIED}_bucket`)),
        },
      },
    ],
  },
  {
    title: 'Mail',
    panels: [
      { title: 'Pending e-mails', series: { pending: `max(${of('casewatch_mails_queued')})` } },
      {
        title: 'Oldest pending e-mail',
        description: 'CasewatchMailStuck opens a ticket above half an hour.',
        unit: 's',
        series: { oldest: `max(${of('casewatch_mails_oldest_seconds')})` },
      },
      {
        title: 'E-mails by result',
        unit: 'reqps',
        series: { '{{result}}': sumBy('result', of('casewatch_mails_total')) },
      },
    ],
  },
  {
    title: 'Push messages',
    panels: [
      {
        title: 'Oldest pending push message',
        description: 'CasewatchPushStuck opens a ticket above half an hour.',
        unit: 's',
        series: { oldest: `max(${of('casewatch_pushes_oldest_seconds')})` },
      },
      {
        title: 'Push messages by result',
        unit: 'reqps',
        series: { '{{result}}': sumBy('result', of('casewatch_pushes_total')) },
      },
      {
        title: 'Refusals of our key',
        description: 'CasewatchPushRefused opens a ticket at the first.',
        unit: 'reqps',
        series: { refused: `sum(rate(${of('casewatch_push_unauthorized_total')}[5m]))` },
      },
    ],
  },
  {
    title: 'Streams, sessions and payments',
    panels: [
      {
        title: 'Open event streams',
        description: 'By process; each holds up to NOTIFICATION_STREAMS.',
        series: { '{{pod}}{{instance}}': of('casewatch_push_streams') },
      },
      {
        title: 'Sessions resolved',
        unit: 'reqps',
        series: { '{{from}}': sumBy('from', of('casewatch_sessions_resolved_total')) },
      },
      {
        title: 'Blocked by the security policy, from Stripe',
        description: 'As browsers report it: a payment form may stay empty. The log names the origin.',
        unit: 'reqps',
        series: { '{{directive}}': sumBy('directive', of('casewatch_csp_reports_total', 'source="stripe"')) },
      },
      {
        title: 'Oldest pending synchronization with Stripe',
        unit: 's',
        series: { oldest: `max(${of('casewatch_subscription_sync_age_seconds')})` },
      },
      {
        title: 'Events of Stripe by result',
        description: 'CasewatchWebhooksRefused opens a ticket where all are refused.',
        unit: 'reqps',
        series: { '{{result}}': sumBy('result', of('casewatch_webhooks_total')) },
      },
    ],
  },
  {
    title: 'Processes',
    panels: [
      {
        title: 'Restarts in an hour',
        series: { '{{role}} {{pod}}': `changes(${of('process_start_time_seconds', OF_ROLE)}[1h])` },
      },
      {
        title: 'Scraped processes',
        series: { '{{role}}': `sum by (role) (${of('up', OF_ROLE)})` },
      },
      {
        title: 'Database connections in use',
        series: {
          '{{service}}': `sum by (service) (${of('casewatch_db_pool_connections', OF_ROLE, 'state="used"')})`,
          '{{service}}, most': `sum by (service) (${of('casewatch_db_pool_size', OF_ROLE)})`,
        },
      },
      {
        title: 'Waiting for a connection',
        series: {
          '{{service}}': `sum by (service) (${of('casewatch_db_pool_connections', OF_ROLE, 'state="waiting"')})`,
        },
      },
      {
        title: 'Gauges that could not be read',
        unit: 'reqps',
        series: { '{{gauge}}': sumBy('gauge', of('casewatch_gauge_read_failures_total', OF_ROLE)) },
      },
      {
        title: 'Memory',
        unit: 'bytes',
        series: { '{{role}} {{pod}}': of('process_resident_memory_bytes', OF_ROLE) },
      },
      {
        title: 'CPU',
        series: { '{{role}} {{pod}}': rate(of('process_cpu_seconds_total', OF_ROLE)) },
      },
      {
        title: 'Event loop lag, 99th percentile',
        unit: 's',
        series: { '{{role}} {{pod}}': of('nodejs_eventloop_lag_p99_seconds', OF_ROLE) },
      },
    ],
  },
];

/** Per objective: what is left of the error budget, how fast it burns, and how many events that is about. */
const OBJECTIVE_ROWS: readonly Row[] = OBJECTIVES.map(({ name, title, budget }) => {
  const one = (series: string) => of(series, `objective="${name}"`);
  const burn = (window: string) =>
    `sum(${one(RECORDED.bad(window))}) / sum(${one(RECORDED.all(window))}) / ${budget}`;
  return {
    title: `${title}: ${100 - 100 * budget} %`,
    panels: [
      {
        title: 'Error budget spent in 28 days',
        description: '100 %: nothing is left.',
        type: 'stat' as const,
        unit: 'percentunit',
        thresholds: [0.75, 1] as const,
        series: { '{{release}}': one(RECORDED.spent) },
      },
      {
        title: 'Bad events',
        description: 'Share of all; the objective is its budget.',
        unit: 'percentunit',
        series: {
          '5 min': `sum(${one(RECORDED.bad('5m'))}) / sum(${one(RECORDED.all('5m'))})`,
          budget: `vector(${budget})`,
        },
      },
      {
        title: 'Burn rate',
        description: `Alerts: ${BURN_RATES.map(({ rate, long }) => `${rate} over ${long}`).join(', ')}.`,
        series: Object.fromEntries(BURN_RATES.map(({ long }) => [long, burn(long)])),
      },
      {
        title: 'Events per second',
        unit: 'reqps',
        series: { all: `sum(${one(RECORDED.all('5m'))})`, bad: `sum(${one(RECORDED.bad('5m'))})` },
      },
    ],
  };
});

/** Dashboards by file name. */
export const DASHBOARDS: Readonly<Record<string, unknown>> = {
  'casewatch.json': dashboard('casewatch', 'Casewatch', [CLUSTER, NAMESPACE, RELEASE, ROLE, SERVED], PARTS),
  'casewatch-slo.json': dashboard(
    'casewatch-slo',
    'Casewatch: service level objectives',
    [CLUSTER, NAMESPACE, RELEASE],
    OBJECTIVE_ROWS,
    'now-7d',
  ),
};
