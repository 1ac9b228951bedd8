import { describe, expect, it } from 'vitest';
import { openingDelayMs, TOOLTIP_DELAY_MS } from './tooltip-timing.ts';

describe('openingDelayMs', () => {
  it('waits 700 ms when no tooltip was open before', () => {
    expect(openingDelayMs(TOOLTIP_DELAY_MS, 5000, null)).toBe(700);
  });

  it('opens at once within 300 ms of another one closing', () => {
    expect(openingDelayMs(TOOLTIP_DELAY_MS, 5299, 5000)).toBe(0);
    expect(openingDelayMs(TOOLTIP_DELAY_MS, 5300, 5000)).toBe(700);
  });

  it('never waits where the delay is none', () => {
    expect(openingDelayMs(0, 9000, null)).toBe(0);
  });
});
