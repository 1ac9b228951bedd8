import { grouped } from '../shared/admin-words.ts';
import { ChartFrame } from './chart-frame.tsx';
import { linePath, niceTop } from './chart-shapes.ts';

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
