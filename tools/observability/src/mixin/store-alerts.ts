import { type Alert, STORES_NAMESPACE } from './series.ts';

const of = (series: string) => `${series}{namespace="${STORES_NAMESPACE}"}`;
const eitherOf = (...names: string[]) => `{__name__=~"${names.join('|')}",namespace="${STORES_NAMESPACE}"}`;

/**
 * Of the data stores, from what runs them in the cluster: the product has no metric of these. The names are those of
 * the kubelet (kubernetes.io/docs/reference/instrumentation/metrics), CloudNativePG (its default-monitoring.yaml and docs/src/monitoring.md) and
 * its Barman Cloud plugin, postgres_exporter's collector `replication`, kafka_exporter, and Strimzi's example of the JMX exporter.
 */
export const STORE_ALERTS: readonly Alert[] = [
  {
    alert: 'CasewatchStoreDiskFills',
    expr: `1 - min by (persistentvolumeclaim) (${of('kubelet_volume_stats_available_bytes')} / ${of('kubelet_volume_stats_capacity_bytes')}) > 0.85`,
    for: '15m',
    severity: 'page',
    summary: 'The volume {{ $labels.persistentvolumeclaim }} of a data store is nearly full.',
    runbook: 'stores.md',
  },
  {
    alert: 'CasewatchReplicaBehind',
    expr: `max(${eitherOf('cnpg_pg_replication_lag', 'pg_replication_lag_seconds')}) > 300`,
    for: '10m',
    severity: 'ticket',
    summary: 'A replica of PostgreSQL is more than five minutes behind: a failover would lose as much.',
    runbook: 'stores.md',
  },
  {
    alert: 'CasewatchKafkaUnderReplicated',
    expr: `sum(${eitherOf('kafka_topic_partition_under_replicated_partition', 'kafka_server_replicamanager_underreplicatedpartitions')}) > 0`,
    for: '15m',
    severity: 'ticket',
    summary: 'Partitions of Kafka have too few copies: the next broker that is down may stop publishing.',
    runbook: 'stores.md',
  },
  {
    alert: 'CasewatchBackupOld',
    // CloudNativePG says 0 where there is none, and for backups of the plugin.
    expr: `(time() - max(${eitherOf('cnpg_collector_last_available_backup_timestamp', 'barman_cloud_cloudnative_pg_io_last_available_backup_timestamp')})) / 3600 > 36`,
    for: '1h',
    severity: 'ticket',
    summary: 'The newest backup of PostgreSQL is older than a day and a half, or there is none.',
    runbook: 'stores.md',
  },
];
