import { type Alert, inRelease as of } from './series.ts';

const UP = 'casewatch_dependency_up';
/** By role and dependency: 1 while it answers one of the role's processes at least. */
const answers = (...matchers: string[]) => `max by (dependency, role) (${of(UP, ...matchers)})`;

/** Keeps what only follows from an outage from naming another cause: CasewatchDependencyDown names it. */
export const unlessDown = (...matchers: string[]) => `unless on () (min(${answers(...matchers)}) == 0)`;
export const UNLESS_DNS_IS_DOWN = unlessDown('dependency="dns"');

const CALLS = 'http_client_request_duration_seconds';
const rate = (series: string) => `sum by (peer) (rate(${series}[10m]))`;
/** One payment of a quiet night that fails or is slow says nothing of Stripe. */
export const FEWEST_CALLS = 6;

/** PromQL of a provider of which, of several calls, more than half fail or take more than a second. */
export function failingOrSlow(peer: string): string {
  const all = rate(of(`${CALLS}_count`, `peer="${peer}"`));
  return [
    `(${rate(of(`${CALLS}_count`, `peer="${peer}"`, 'outcome=~"failed|timeout"'))} / ${all} > 0.5`,
    // A bucket's bound as Prometheus 2 and 3 store it.
    `or 1 - ${rate(of(`${CALLS}_bucket`, `peer="${peer}"`, 'le=~"1|1.0"'))} / ${all} > 0.5)`,
    `and ${all} * 600 >= ${FEWEST_CALLS}`,
  ].join('\n');
}

/** Nothing is accepted, and something has been tried: deliveries that end with `result` are tried again. */
function acceptsNothing(peer: string, counter: string, result: string): string {
  const ended = (end: string) => `sum(increase(${of(counter, `result="${end}"`)}[10m])) > 0`;
  return `or label_replace(${ended(result)} unless ${ended('sent')}, "peer", "${peer}", "", "")`;
}

const REQUESTS = 'http_server_request_duration_seconds_count';
const visited = of(REQUESTS, 'service="gateway"');
const signIns = (...matchers: string[]) =>
  `sum(increase(${of(REQUESTS, 'service="gateway"', 'http_route="/api/auth/login"', ...matchers)}[15m]))`;
const REFUSED = 'http_response_status_code=~"401|429"';
const mails = (results: string) =>
  `sum(increase(${of('casewatch_mails_total', `result=~"${results}"`)}[1h]))`;

/** What the product needs and does not get, and who does not come. */
export const OUTAGE_ALERTS: readonly Alert[] = [
  {
    alert: 'CasewatchDependencyDown',
    // Without names nothing is found: then only DNS is named.
    expr: [
      'min by (dependency) (',
      `  ${answers('dependency="dns"')}`,
      `  or ${answers('dependency!="dns"')} unless on (role) (${answers('dependency="dns"')} == 0)`,
      ') == 0',
    ].join('\n'),
    for: '5m',
    severity: 'page',
    summary: '{{ $labels.dependency }} does not answer a role, or not within a second.',
    runbook: 'dependency-down.md',
  },
  {
    alert: 'CasewatchProviderFailing',
    expr: [
      '(',
      failingOrSlow('stripe'),
      acceptsNothing('smtp', 'casewatch_mails_total', 'unavailable'),
      acceptsNothing('push', 'casewatch_pushes_total', 'retried'),
      ')',
      UNLESS_DNS_IS_DOWN,
    ].join('\n'),
    for: '5m',
    severity: 'ticket',
    summary: 'Calls of {{ $labels.peer }} fail, or most take more than a second.',
    runbook: 'dependency-down.md',
  },
  {
    alert: 'CasewatchProcessUnstable',
    // Four restarts. Pods of a rolling update are new series, and up within minutes.
    expr: [
      `min by (role) (avg_over_time(${of('up')}[15m]) and ${of('up')}) < 0.5`,
      `or max by (role) (changes(${of('process_start_time_seconds')}[1h])) > 3.5`,
    ].join('\n'),
    for: '10m',
    severity: 'ticket',
    summary: 'A process of {{ $labels.role }} is away for half of the time, or restarts again and again.',
    runbook: 'role-away.md',
  },
  {
    alert: 'CasewatchNoTraffic',
    expr: [
      `sum(increase(${visited}[30m] offset 1d)) > 500`,
      `unless sum(increase(${visited}[30m])) > 0`,
      `and on () max(${of('up', 'role=~"all|gateway"')}) == 1`,
    ].join('\n'),
    for: '5m',
    severity: 'page',
    summary: 'No request has come for half an hour, in which hundreds came yesterday.',
    runbook: 'traffic.md',
  },
  {
    alert: 'CasewatchSignInsFailing',
    expr: `${signIns(REFUSED)} / ${signIns()} > 0.8\nand ${signIns(REFUSED)} > 100`,
    for: '5m',
    severity: 'ticket',
    summary: 'More than a hundred sign-ins in a quarter of an hour are refused, and few succeed.',
    runbook: 'traffic.md',
  },
  {
    alert: 'CasewatchMailsRefused',
    expr: `${mails('failed')} / ${mails('failed|sent')} > 0.2\nand ${mails('failed')} > 10`,
    for: '5m',
    severity: 'ticket',
    summary: 'More than a fifth of the e-mails of an hour are refused for good.',
    runbook: 'mail-stuck.md',
  },
];
