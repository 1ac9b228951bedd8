import type { Drill } from './run-drill.ts';

const TEN_MINUTES = 600;

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
];

/** Alerts that nothing a drill can do makes true, each with the reason. */
export const WITHOUT_DRILL: Readonly<Record<string, string>> = {
  CasewatchClientCertificateExpires: 'the drilled Kafka knows its clients by no certificate',
  CasewatchAgencyKeysUnused: 'a process would have to run for a week',
};
