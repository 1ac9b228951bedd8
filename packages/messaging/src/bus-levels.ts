import type { ServiceName } from '@casewatch/contracts/route-contract';
import { readGauges } from '@casewatch/service-kit/telemetry/read-gauges';
import type { Meter } from '@opentelemetry/api';

/** Backlog of an event bus, and its age. */
export interface BusLevels {
  readonly outboxes: readonly { service: ServiceName; waiting: number; ageMs: number }[];
  /** `lag`: messages of this process's part of the group that it has not finished; undefined: unknown at the moment. */
  readonly groups: readonly { group: string; lag: number | undefined; deadLetters: number }[];
  readonly topicsWithFewPartitions: number;
}

export function measureBus(meter: Meter, levels: () => Promise<BusLevels>): void {
  readGauges(
    meter,
    {
      casewatch_outbox_depth: 'Events pending in the outbox, counted to 10,000.',
      casewatch_outbox_oldest_seconds: 'Age of the oldest event pending in the outbox; 0 when there is none.',
      casewatch_consumer_lag:
        'Events that the group has not finished, of those that this process is to handle.',
      casewatch_topics_with_few_partitions:
        'Topics that this process uses and that have fewer partitions than KAFKA_PARTITIONS.',
      casewatch_dead_letters: 'Events in the dead letters of the service, counted to 10,000.',
    },
    async () => {
      const { outboxes, groups, topicsWithFewPartitions } = await levels();
      return {
        casewatch_outbox_depth: outboxes.map(({ service, waiting }) => ({
          value: waiting,
          attributes: { service },
        })),
        casewatch_outbox_oldest_seconds: outboxes.map(({ service, ageMs }) => ({
          value: ageMs / 1_000,
          attributes: { service },
        })),
        casewatch_consumer_lag: groups.flatMap(({ group, lag }) =>
          lag === undefined ? [] : [{ value: lag, attributes: { group } }],
        ),
        casewatch_topics_with_few_partitions: topicsWithFewPartitions,
        casewatch_dead_letters: groups.map(({ group, deadLetters }) => ({
          value: deadLetters,
          attributes: { service: group },
        })),
      };
    },
  );
}
