import type { ReactNode } from 'react';
import { CHART } from './chart-shapes.ts';

export interface ChartFrameProps {
  /** What the picture shows, for those who don't see it. */
  label: string;
  /** The value at the top of the scale, as it is written. */
  top: string;
  /** The times of the first and the last slot. */
  first: string;
  last: string;
  children: ReactNode;
}

/** Renders a picture with its scale in words around it: text inside would be stretched with it. */
export function ChartFrame({ label, top, first, last, children }: ChartFrameProps) {
  return (
    <div className="chart">
      <span className="chart-top" aria-hidden="true">
        {top}
      </span>
      <svg
        role="img"
        aria-label={label}
        viewBox={`0 0 ${CHART.width} ${CHART.height}`}
        preserveAspectRatio="none"
      >
        <path className="chart-grid" d={`M0 0.5H${CHART.width}M0 ${CHART.height - 0.5}H${CHART.width}`} />
        {children}
      </svg>
      <span className="chart-times" aria-hidden="true">
        <span>{first}</span>
        <span>{last}</span>
      </span>
    </div>
  );
}
