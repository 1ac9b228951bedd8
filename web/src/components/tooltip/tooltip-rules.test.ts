import { describe, expect, it } from 'vitest';
import { openingDelayMs, TOOLTIP_DELAY_MS, tooltipPosition } from './tooltip-rules.ts';

const viewport = { width: 320, height: 600 };
const tip = { width: 100, height: 30 };

describe('tooltipPosition', () => {
  it('sits above the anchor, centred', () => {
    const anchor = { left: 140, top: 200, width: 40, height: 40 };
    expect(tooltipPosition(anchor, tip, 'top', viewport)).toEqual({ left: 110, top: 164 });
  });

  it('goes below where there is no room above, and above where there is none below', () => {
    const atTop = { left: 140, top: 4, width: 40, height: 40 };
    expect(tooltipPosition(atTop, tip, 'top', viewport).top).toBe(50);
    const atBottom = { left: 140, top: 560, width: 40, height: 40 };
    expect(tooltipPosition(atBottom, tip, 'bottom', viewport).top).toBe(524);
  });

  it('sits at the right of the anchor, centred in height', () => {
    const anchor = { left: 8, top: 100, width: 32, height: 32 };
    expect(tooltipPosition(anchor, tip, 'right', viewport)).toEqual({ left: 46, top: 101 });
  });

  it('stays on the screen next to an anchor at the edge', () => {
    const anchor = { left: 300, top: 200, width: 20, height: 20 };
    expect(tooltipPosition(anchor, tip, 'bottom', viewport).left).toBe(212);
  });
});

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
