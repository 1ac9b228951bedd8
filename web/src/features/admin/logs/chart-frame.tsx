import type { ReactNode } from 'react';
import { grouped } from '../shared/admin-words.tsx';
import { CHART, linePath, niceTop } from './chart-shapes.ts';

interface ChartFrameProps {
  /** What the picture shows, for those who don't see it, and under the pointer. */
  label: string;
  children: ReactNode;
}

/** Renders a small chart of the last 24 hours, as wide as there is room. */
export function ChartFrame({ label, children }: ChartFrameProps) {
  return (
    <svg
      className="chart"
      role="img"
      aria-label={label}
      viewBox={`0 0 ${CHART.width} ${CHART.height}`}
      preserveAspectRatio="none"
    >
      <title>{label}</title>
      <path className="chart-grid" d={`M0 ${CHART.height - 0.5}H${CHART.width}`} />
      {children}
    </svg>
  );
}

interface LineChartProps {
  label: string;
  lines: readonly { values: readonly (number | null)[]; isDashed: boolean }[];
}

/** Lines over the hours; broken where an hour has no value. */
export function LineChart({ label, lines }: LineChartProps) {
  const most = Math.max(0, ...lines.flatMap(({ values }) => values.map((value) => value ?? 0)));
  return (
    <ChartFrame label={`${label}, at most ${grouped(most)}`}>
      {lines.map(({ values, isDashed }) => (
        <path
          key={String(isDashed)}
          className={`chart-line ${isDashed ? 'chart-line-dashed' : ''}`}
          d={linePath(values, niceTop(most))}
        />
      ))}
    </ChartFrame>
  );
}
