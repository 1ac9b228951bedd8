export type TooltipPlacement = 'top' | 'right' | 'bottom';

interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}

interface Size {
  width: number;
  height: number;
}

const GAP_PX = 6;
const EDGE_PX = 8;
export const TOOLTIP_DELAY_MS = 700;
/** After one tooltip closes, the next one opens without delay for this long. */
const TOOLTIP_SKIP_DELAY_MS = 300;

/** Returns where a tooltip's top left corner goes, in viewport pixels: next to its anchor, never off the screen. */
export function tooltipPosition(anchor: Box, tip: Size, placement: TooltipPlacement, viewport: Size) {
  const centred = anchor.left + anchor.width / 2 - tip.width / 2;
  const above = anchor.top - tip.height - GAP_PX;
  const below = anchor.top + anchor.height + GAP_PX;
  const wanted =
    placement === 'right'
      ? { left: anchor.left + anchor.width + GAP_PX, top: anchor.top + anchor.height / 2 - tip.height / 2 }
      : placement === 'top'
        ? { left: centred, top: above < EDGE_PX ? below : above }
        : { left: centred, top: below + tip.height > viewport.height - EDGE_PX ? above : below };

  return {
    left: clamp(wanted.left, EDGE_PX, viewport.width - tip.width - EDGE_PX),
    top: clamp(wanted.top, EDGE_PX, viewport.height - tip.height - EDGE_PX),
  };
}

function clamp(value: number, least: number, most: number): number {
  return Math.max(least, Math.min(value, most));
}

/** Returns how long a tooltip waits before it opens. Times are of one clock; `lastClosedAtMs` is null before the first. */
export function openingDelayMs(delayMs: number, nowMs: number, lastClosedAtMs: number | null): number {
  if (lastClosedAtMs !== null && nowMs - lastClosedAtMs < TOOLTIP_SKIP_DELAY_MS) return 0;
  return delayMs;
}
