import { createManualClock } from '@casewatch/testing/manual-clock';
import { expect, test } from 'vitest';
import { createCallPace } from './call-slots.ts';

/** Ten a second: an interval of 100 ms, and 200 ms to make up for at most. */
const RULE = { calls: 10, windowMs: 1_000 };

function paced() {
  const clock = createManualClock();
  const pace = createCallPace(clock.nowMs, RULE);
  /** Takes what is due now. */
  const take = () => {
    let taken = 0;
    while (pace.isDue()) {
      pace.advance();
      taken += 1;
    }
    return taken;
  };
  take();
  return { clock, pace, take };
}

test('paced calls are due an interval apart', async () => {
  const { clock, pace, take } = paced();
  for (let nth = 0; nth < 5; nth += 1) {
    expect(pace.msUntilDue()).toBe(100);
    await clock.advance(99);
    expect(take()).toBe(0);
    await clock.advance(1);
    expect(take()).toBe(1);
  }
});

test('a call that is granted late does not delay those after it', async () => {
  const { clock, pace, take } = paced();
  await clock.advance(150);
  expect(take()).toBe(1);
  expect(pace.msUntilDue()).toBe(50);
});

test('after a rest no more is made up for than a fifth of a window', async () => {
  const { clock, take } = paced();
  await clock.advance(60_000);
  expect(take()).toBe(3);
});
