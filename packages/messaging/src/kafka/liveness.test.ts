import { createManualClock } from '@casewatch/testing/manual-clock';
import { expect, test } from 'vitest';
import type { PartitionLag } from './kafka-lag.ts';
import { createLiveness } from './liveness.ts';

const lag = (next: number, end: number): PartitionLag[] => [
  {
    groupId: 'casewatch.cases',
    topic: 'casewatch.user-deleted',
    partition: 0,
    next: BigInt(next),
    end: BigInt(end),
  },
];

test('a partition with something to do that has not moved for a minute is stuck', async () => {
  const clock = createManualClock();
  const liveness = createLiveness(clock, 60_000);
  expect(liveness.stuck(lag(5, 8))).toEqual([]);
  await clock.advance(59_000);
  expect(liveness.stuck(lag(5, 9))).toEqual([]);
  await clock.advance(1_000);
  expect(liveness.stuck(lag(5, 9))).toEqual(['casewatch.cases casewatch.user-deleted/0']);
  expect(liveness.stuck(lag(6, 9))).toEqual([]);
});

test('neither an idle partition nor one that gets on slowly is stuck, nor one that is not ours any more', async () => {
  const clock = createManualClock();
  const liveness = createLiveness(clock, 60_000);
  liveness.stuck(lag(5, 5));
  await clock.advance(3_600_000);
  expect(liveness.stuck(lag(5, 6))).toEqual([]);
  await clock.advance(59_000);
  expect(liveness.stuck(lag(6, 7))).toEqual([]);
  await clock.advance(59_000);
  expect(liveness.stuck([])).toEqual([]);
  await clock.advance(59_000);
  expect(liveness.stuck(lag(6, 7))).toEqual([]);
});

test('time in which the brokers did not answer does not count, and does not reset what counted before', async () => {
  const clock = createManualClock();
  const liveness = createLiveness(clock, 60_000);
  liveness.stuck(lag(5, 8));
  await clock.advance(50_000);
  expect(liveness.stuck(lag(5, 8))).toEqual([]);
  liveness.unknown();
  await clock.advance(3_600_000);
  expect(liveness.stuck(lag(5, 8))).toEqual([]);
  await clock.advance(10_000);
  expect(liveness.stuck(lag(5, 8))).toEqual(['casewatch.cases casewatch.user-deleted/0']);
});

test('a clock that is set back does not let a stuck partition count as one that gets on', async () => {
  const clock = createManualClock();
  const liveness = createLiveness(clock, 60_000);
  liveness.stuck(lag(5, 8));
  await clock.jump(-3_600_000);
  expect(liveness.stuck(lag(5, 8))).toEqual([]);
  await clock.advance(60_000);
  expect(liveness.stuck(lag(5, 8))).toEqual(['casewatch.cases casewatch.user-deleted/0']);
});
