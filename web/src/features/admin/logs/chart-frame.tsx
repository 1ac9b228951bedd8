import type { ReactNode } from 'react';
import { grouped } from '../shared/admin-words.tsx';
import { CHART, linePath, niceTop } from './chart-shapes.ts';

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

interface LineChartProps {
  label: string;
  unit: string;
  lines: readonly { values: readonly (number | null)[]; isDashed: boolean }[];
  first: string;
  last: string;
}

/** Lines over the hours; broken where an hour has no value. */
export function LineChart({ label, unit, lines, first, last }: LineChartProps) {
  const most = Math.max(0, ...lines.flatMap(({ values }) => values.map((value) => value ?? 0)));
  const top = niceTop(most);
  return (
    <ChartFrame
      label={`${label}, at most ${grouped(most)}`}
      top={`${grouped(top)}${unit}`}
      first={first}
      last={last}
    >
      {lines.map(({ values, isDashed }) => (
        <path
          key={String(isDashed)}
          className={`chart-line ${isDashed ? 'chart-line-dashed' : ''}`}
          d={linePath(values, top)}
        />
      ))}
    </ChartFrame>
  );
}
