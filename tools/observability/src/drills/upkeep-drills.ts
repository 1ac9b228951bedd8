import type { Drill } from './run-drill.ts';

const TEN_MINUTES = 600;
const INSERT = `INSERT INTO admin_log.audit_entries (id, at, action, subject, success, details, seq, hash)
  VALUES (gen_random_uuid(), now(), 'drill', 'drill', true, '{}', 1000000, 'hash')`;
const REMOVE = 'DELETE FROM admin_log.audit_entries WHERE seq = 1000000';

/** Of what works today and will not for long, or not as it is set. */
export const UPKEEP_DRILLS: readonly Drill[] = [
  {
    alert: 'CasewatchTopicsWithFewPartitions',
    breaks: 'more partitions are set than topics have',
    break: ({ roleOf }) => roleOf('surveys').restart({ KAFKA_PARTITIONS: '3' }),
    fixes: 'as many are set as they have',
    fix: ({ roleOf }) => roleOf('surveys').restart({ KAFKA_PARTITIONS: '2' }),
    looksBackSeconds: TEN_MINUTES,
  },
  {
    alert: 'CasewatchAuditTrailBroken',
    breaks: 'an entry is inserted past the trigger that chains it',
    async break({ roleOf, sql }) {
      await sql(`SET session_replication_role = replica; ${INSERT}; RESET session_replication_role`);
      await roleOf('admin-log').restart();
    },
    fixes: 'it is removed',
    async fix({ roleOf, sql }) {
      await sql(`SET session_replication_role = replica; ${REMOVE}; RESET session_replication_role`);
      await roleOf('admin-log').restart();
    },
    looksBackSeconds: TEN_MINUTES,
  },
];

/** Alerts that nothing a drill can do makes true, each with the reason. */
export const WITHOUT_DRILL: Readonly<Record<string, string>> = {
  CasewatchClientCertificateExpires: 'the drilled Kafka knows its clients by no certificate',
  CasewatchAgencyKeysUnused: 'a process would have to run for a week',
  CasewatchVersionsDiffer: 'all processes are started from one checkout',
};
