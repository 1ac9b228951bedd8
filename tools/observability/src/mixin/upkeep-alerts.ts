import { type Alert, last, inRelease as of } from './series.ts';

const UNUSED = `max by (keys) (${last('casewatch_agency_key_unused_days')}) > 7`;
const REFUSED = `max by (keys) (${last('casewatch_agency_key_refused')}) == 1`;
const EXPIRY = last('casewatch_client_certificate_expiry_timestamp_seconds');

/** What works today and will not for long, or not as it is set. */
export const UPKEEP_ALERTS: readonly Alert[] = [
  {
    alert: 'CasewatchClientCertificateExpires',
    // cert-manager and Strimzi renew 30 days ahead: then something has stopped doing so.
    expr: `7 - (min(${EXPIRY}) - time()) / 86400 > 0`,
    for: '1h',
    severity: 'ticket',
    summary: 'The client certificate for Kafka expires within 7 days, and is not renewed.',
    runbook: 'kafka-upkeep.md',
  },
  {
    alert: 'CasewatchTopicsWithFewPartitions',
    expr: `max by (role) (${last('casewatch_topics_with_few_partitions')}) > 0`,
    for: '1h',
    severity: 'ticket',
    summary:
      'Topics of {{ $labels.role }} have fewer partitions than are set: replicas beyond them have no work.',
    runbook: 'kafka-upkeep.md',
  },
  {
    alert: 'CasewatchAgencyKeysUnused',
    expr: `${UNUSED}\nunless ${REFUSED}`,
    for: '1h',
    severity: 'ticket',
    summary: 'The {{ $labels.keys }} keys of the agency have not been used for a week, and may lapse.',
    runbook: 'agency-keys.md',
  },
  {
    alert: 'CasewatchAuditTrailBroken',
    expr: `max(${last('casewatch_audit_trail_broken')}) > 0`,
    for: '5m',
    severity: 'page',
    summary: 'An entry of the audit trail was changed, removed or inserted in the database itself.',
    runbook: 'audit-trail.md',
  },
  {
    alert: 'CasewatchVersionsDiffer',
    expr: `count(count by (version) (${of('casewatch_build_info')})) - 1 > 0`,
    for: '1h',
    severity: 'ticket',
    summary: 'Processes have run different versions for an hour: an upgrade has stopped halfway.',
    runbook: 'role-away.md',
  },
];
