import { type Admin, Kafka, logLevel } from 'kafkajs';
import { expect, test } from 'vitest';
import { readLag } from './kafka-lag.ts';

/** A broker with two partitions of each topic, and what groups have committed. */
function adminOf(committed: Record<string, { partition: number; offset: string }[]>) {
  const asked: string[] = [];
  const admin: Admin = Object.assign(
    new Kafka({ brokers: ['127.0.0.1:1'], logLevel: logLevel.NOTHING }).admin(),
    {
      fetchTopicOffsets: async (topic: string) => {
        asked.push(topic);
        return [
          { partition: 0, offset: '90', low: '10', high: '90' },
          { partition: 1, offset: '7', low: '0', high: '7' },
        ];
      },
      fetchOffsets: async ({ groupId, topics = [] }: { groupId: string; topics?: string[] }) =>
        topics.map((topic) => ({
          topic,
          partitions: (committed[`${groupId} ${topic}`] ?? []).map((each) => ({ ...each, metadata: null })),
        })),
    },
  );
  return {
    asked,
    use: <T>(work: (on: Admin) => Promise<T>) => work(admin),
    disconnect: async () => undefined,
  };
}

test('a group is where it has committed, or at the oldest message where it has not or that message was deleted', async () => {
  const admin = adminOf({
    'cases a': [
      { partition: 0, offset: '40' },
      { partition: 1, offset: '-1' },
    ],
    'cases b': [
      { partition: 0, offset: '9' },
      { partition: 1, offset: '7' },
    ],
    'billing a': [{ partition: 0, offset: '10' }],
  });
  const groups = [
    { groupId: 'cases', topics: ['a', 'b'] },
    { groupId: 'billing', topics: ['a'] },
  ];
  expect(await readLag(admin, groups)).toEqual([
    { groupId: 'cases', topic: 'a', partition: 0, next: 40n, end: 90n },
    { groupId: 'cases', topic: 'a', partition: 1, next: 0n, end: 7n },
    { groupId: 'cases', topic: 'b', partition: 0, next: 10n, end: 90n },
    { groupId: 'cases', topic: 'b', partition: 1, next: 7n, end: 7n },
    { groupId: 'billing', topic: 'a', partition: 0, next: 10n, end: 90n },
    { groupId: 'billing', topic: 'a', partition: 1, next: 0n, end: 7n },
  ]);
  expect(admin.asked.toSorted()).toEqual(['a', 'b']);
});

test('a group whose offsets the broker does not list is at the oldest messages; a partition that it does not list has no lag', async () => {
  const admin = adminOf({ 'cases a': [{ partition: 2, offset: '4' }] });
  expect(await readLag(admin, [{ groupId: 'cases', topics: ['a'] }])).toEqual([
    { groupId: 'cases', topic: 'a', partition: 0, next: 10n, end: 90n },
    { groupId: 'cases', topic: 'a', partition: 1, next: 0n, end: 7n },
  ]);
});
