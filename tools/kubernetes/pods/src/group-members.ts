import { createKafkaAdmin } from '@casewatch/messaging/kafka/kafka-admin';
import { createKafkaClient } from '@casewatch/messaging/kafka/kafka-client';
import { pino } from 'pino';

/** Returns how many members of a role's consumer group hold partitions, as the broker reports it. */
export function openGroupMembers(brokers: string) {
  const logger = pino({ level: 'silent' });
  const admin = createKafkaAdmin(
    createKafkaClient({ brokers: brokers.split(','), clientId: 'casewatch-pods' }, logger),
  );
  return {
    async working(role: string): Promise<number> {
      const { groups } = await admin.use((on) => on.describeGroups([`casewatch.${role}`]));
      // During a rebalance no member holds a partition.
      const members = groups.flatMap((group) => (group.state === 'Stable' ? group.members : []));
      return members.filter(({ memberAssignment }) => memberAssignment.length > 0).length;
    },
    stop: () => admin.disconnect(),
  };
}
