import { createManualClock } from '@casewatch/testing/manual-clock';
import { expect, test } from 'vitest';
import { createCallSlots } from './call-slots.ts';

function start() {
  const clock = createManualClock();
  return { clock, slots: createCallSlots(clock.nowMs, { calls: 2, windowMs: 1_000, leaseMs: 2_000 }) };
}

test('a slot is free again a window after the answer, or at once where there was no call', async () => {
  const { clock, slots } = start();
  slots.use(1);
  expect(slots.free()).toBe(1);
  slots.use(2);
  // Either may be answered now.
  expect([slots.free(), slots.inFlight(), slots.msUntilChange()]).toEqual([0, 2, 1_000]);
  await clock.advance(300);
  slots.done(1);
  slots.done(1);
  slots.done(99);
  await clock.advance(400);
  expect([slots.free(), slots.inFlight(), slots.msUntilChange()]).toEqual([0, 1, 600]);
  await clock.advance(599);
  expect(slots.free()).toBe(0);
  await clock.advance(1);
  expect(slots.free()).toBe(1);
  slots.release(2);
  slots.release(2);
  expect([slots.free(), slots.inFlight()]).toEqual([2, 0]);
});

test('a call without an answer counts as answered when its lease is over', async () => {
  const { clock, slots } = start();
  slots.use(1);
  await clock.advance(500);
  slots.use(2);
  await clock.advance(1_000);
  expect([slots.free(), slots.msUntilChange()]).toEqual([0, 500]);
  await clock.advance(500);
  expect([slots.free(), slots.inFlight(), slots.msUntilChange()]).toEqual([0, 1, 500]);
  await clock.advance(1_000);
  expect([slots.free(), slots.inFlight()]).toEqual([1, 0]);
  slots.done(1);
  expect(slots.free()).toBe(1);
  // That of the other was found to be over only now.
  await clock.advance(999);
  expect(slots.free()).toBe(1);
  await clock.advance(1);
  expect(slots.free()).toBe(2);
});

test('the lease of a call begins when it is sent, and none is sent that counts as sent already', async () => {
  const { clock, slots } = start();
  slots.use(1);
  slots.use(2);
  await clock.advance(1_500);
  expect(slots.renew(1)).toBe(true);
  await clock.advance(500);
  expect([slots.renew(2), slots.inFlight()]).toEqual([false, 1]);
  await clock.advance(1_499);
  expect(slots.inFlight()).toBe(1);
  await clock.advance(1);
  expect(slots.inFlight()).toBe(0);
});
