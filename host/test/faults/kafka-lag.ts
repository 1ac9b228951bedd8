import {
  accountMailRequested,
  caseObserved,
  caseWatchChanged,
  caseWatchesListed,
  statusChanged,
} from '@casewatch/contracts/events';
import { createKafkaAdmin } from '@casewatch/messaging/kafka/kafka-admin';
import { createKafkaClient } from '@casewatch/messaging/kafka/kafka-client';
import { readLag } from '@casewatch/messaging/kafka/kafka-lag';
import { AssignerProtocol } from 'kafkajs';
import { pino } from 'pino';

const logger = pino({ level: 'silent' });
/** From the request to watch to the notification, and what asks for an e-mail. */
const MAIN_FLOW = {
  monitoring: [caseWatchChanged, caseWatchesListed, caseObserved],
  notifications: [statusChanged, accountMailRequested],
};

/** How far the consumer groups of a product are behind, as the broker reports it. */
export function openKafkaLag({ brokers, topicPrefix }: { brokers: readonly string[]; topicPrefix: string }) {
  const client = createKafkaClient({ brokers, clientId: 'casewatch-faults' }, logger);
  const admin = createKafkaAdmin(client);
  const flow = Object.entries(MAIN_FLOW).map(([group, events]) => ({
    groupId: `${topicPrefix}${group}`,
    topics: events.map(({ name }) => `${topicPrefix}${name}`),
  }));

  async function topics(): Promise<string[]> {
    const all = await admin.use((on) => on.listTopics());
    return all.filter((topic) => topic.startsWith(topicPrefix));
  }

  return {
    client,
    topicPrefix,
    topics,
    /** Messages of the main flow that their group has not committed, and where its partitions end. */
    async lag(): Promise<{ behind: number; ends: string }> {
      const lags = await readLag(admin, flow);
      // The client may have lost its list of a topic's partitions: then nothing is known of what is behind.
      const isWhole = flow.every(({ topics }) =>
        topics.every((name) => lags.some(({ topic }) => topic === name)),
      );
      if (!isWhole) return { behind: Number.POSITIVE_INFINITY, ends: '' };
      return {
        behind: lags.reduce((sum, { next, end }) => sum + Number(end - next), 0),
        ends: lags.map(({ topic, partition, end }) => `${topic}/${partition}:${end}`).join(),
      };
    },
    /** How many members of a group hold partitions. */
    async working(service: keyof typeof MAIN_FLOW): Promise<number> {
      const { groups } = await admin.use((on) => on.describeGroups([`${topicPrefix}${service}`]));
      const members = groups.flatMap((group) => group.members);
      return members.filter(({ memberAssignment }) => partitionsIn(memberAssignment) > 0).length;
    },
    /** What the groups have committed is forgotten: they begin again at offset 0. None may have a member. */
    async rewind(): Promise<void> {
      const { groups } = await admin.use((on) => on.listGroups());
      const ours = groups.map(({ groupId }) => groupId).filter((id) => id.startsWith(topicPrefix));
      await admin.use((on) => on.deleteGroups(ours));
    },
    async stop(): Promise<void> {
      const made = await topics();
      if (made.length > 0) await admin.use((on) => on.deleteTopics({ topics: made }));
      await admin.disconnect();
    },
  };
}

function partitionsIn(assignment: Buffer): number {
  const decoded = assignment.length > 0 ? AssignerProtocol.MemberAssignment.decode(assignment) : null;
  return Object.values(decoded?.assignment ?? {}).flat().length;
}
