import { grouped } from '../admin/admin-words.ts';
import { ChartFrame } from './chart-frame.tsx';
import { bars, niceTop } from './chart-shapes.ts';

interface BarChartProps {
  label: string;
  values: readonly number[];
  tone?: 'primary' | 'danger';
  first: string;
  last: string;
}

/** One bar for each hour. */
export function BarChart({ label, values, tone = 'primary', first, last }: BarChartProps) {
  const most = Math.max(0, ...values);
  const top = niceTop(most);
  return (
    <ChartFrame label={`${label}, at most ${grouped(most)}`} top={grouped(top)} first={first} last={last}>
      {bars(values, top).map((bar) => (
        <rect key={bar.x} className={`chart-${tone}`} {...bar} />
      ))}
    </ChartFrame>
  );
}
