import { useLayoutEffect, useRef, useState } from 'react';

/**
 * Keeps the rows of a scrolling table where they are on the screen while others come in above them: the table is
 * scrolled on by as much as they take. `unseen` counts what has come since the top was last looked at.
 */
export function useSteadyRows(isLive: boolean, arrived: number) {
  const box = useRef<HTMLDivElement>(null);
  const before = useRef<{ row: Element; top: number } | null>(null);
  /** What the last scrolling was short of, since browsers scroll by whole pixels. */
  const rest = useRef(0);
  const [seen, setSeen] = useState(0);

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
    }
    const row = frame.querySelector('tbody tr');
    before.current = row === null ? null : { row, top: topIn(frame, row) };
  });

  return {
    box,
    unseen: isLive ? Math.max(0, arrived - seen) : 0,
    onScroll: () => {
      if (box.current !== null && box.current.scrollTop <= 1) setSeen(arrived);
    },
    showNewest: () => {
      setSeen(arrived);
      box.current?.scrollTo({ top: 0 });
      box.current?.querySelector<HTMLElement>('tbody button')?.focus({ preventScroll: true });
    },
  };
}

/** How far down the content of `frame` an element begins. */
function topIn(frame: Element, element: Element): number {
  return element.getBoundingClientRect().top - frame.getBoundingClientRect().top + frame.scrollTop;
}
