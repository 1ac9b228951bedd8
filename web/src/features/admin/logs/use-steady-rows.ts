import { useLayoutEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';

/**
 * Keeps the rows of a scrolling table where they are on the screen while others come in above them: the table is
 * scrolled on by as much as they take. Once the reader scrolls, `rows` stay as they are until the top or `showNewest`
 * is reached. `unseen` counts what has come since the top was last looked at.
 */
export function useSteadyRows<Row>(isLive: boolean, arrived: number, current: readonly Row[]) {
  const box = useRef<HTMLDivElement>(null);
  const before = useRef<{ row: Element; top: number } | null>(null);
  /** What the last scrolling was short of, since browsers scroll by whole pixels. */
  const rest = useRef(0);
  /** Where the table was scrolled to by itself: anything else was the reader. */
  const scrolledTo = useRef(0);
  const [seen, setSeen] = useState(0);
  const [held, setHeld] = useState<readonly Row[] | null>(null);
  if (!isLive && held !== null) setHeld(null);
  // The tail has begun anew, and counts from zero.
  if (arrived < seen) setSeen(arrived);

  // After every rendering: only so is it known where the rows were before the next.
  useLayoutEffect(() => {
    const frame = box.current;
    if (!isLive || frame === null) {
      before.current = null;
      return;
    }
    const last = before.current;
    const grownBy = last?.row.isConnected ? topIn(frame, last.row) - last.top : 0;
    if (grownBy !== 0) {
      const wanted = frame.scrollTop + grownBy + rest.current;
      frame.scrollTop = wanted;
      rest.current = wanted - frame.scrollTop;
      scrolledTo.current = frame.scrollTop;
    }
    const row = frame.querySelector('tbody tr');
    before.current = row === null ? null : { row, top: topIn(frame, row) };
  });

  const release = () => {
    setSeen(arrived);
    setHeld(null);
    scrolledTo.current = 0;
  };

  return {
    box,
    rows: held ?? current,
    isPaused: held !== null,
    unseen: isLive ? Math.max(0, arrived - seen) : 0,
    onScroll: () => {
      const top = box.current?.scrollTop ?? 0;
      if (top <= 1) release();
      else if (isLive && held === null && Math.abs(top - scrolledTo.current) > 1) setHeld(current);
    },
    showNewest: () => {
      flushSync(release);
      box.current?.scrollTo({ top: 0 });
      box.current?.querySelector<HTMLElement>('tbody button')?.focus({ preventScroll: true });
    },
  };
}

/** How far down the content of `frame` an element begins. */
function topIn(frame: Element, element: Element): number {
  return element.getBoundingClientRect().top - frame.getBoundingClientRect().top + frame.scrollTop;
}
