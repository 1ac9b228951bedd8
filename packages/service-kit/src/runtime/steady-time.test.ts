import { createManualClock } from '@casewatch/testing/manual-clock';
import { expect, test } from 'vitest';
import { steadyTime } from './steady-time.ts';

test('a time that measures is that of its clock, and continues where the clock is set back, however often', async () => {
  const clock = createManualClock();
  const nowMs = steadyTime(clock);
  const startMs = clock.nowMs();
  await clock.advance(1_000);
  expect(nowMs()).toBe(startMs + 1_000);
  for (let nth = 1; nth <= 2; nth += 1) {
    await clock.jump(-3_600_000);
    expect(nowMs()).toBe(startMs + nth * 1_000);
    await clock.advance(1_000);
    expect(nowMs()).toBe(startMs + (nth + 1) * 1_000);
  }
});
