import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { usePageClass } from '../../lib/use-page-class.ts';

/** Keeps what is done with the selected cases at the bottom of the window; the page and its toasts leave that room free. */
export function BulkDock({ children }: { children: ReactNode }) {
  usePageClass('with-bulk-dock');
  const dock = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const { style } = document.documentElement;
    const observer = new ResizeObserver(() =>
      style.setProperty('--cw-dock', `${dock.current?.offsetHeight ?? 0}px`),
    );
    if (dock.current) observer.observe(dock.current);
    return () => {
      observer.disconnect();
      style.removeProperty('--cw-dock');
    };
  }, []);
  return (
    <div className="bulk-dock" ref={dock}>
      {children}
    </div>
  );
}
