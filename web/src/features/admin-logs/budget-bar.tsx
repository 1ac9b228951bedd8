import { CHART } from './chart-shapes.ts';
import { percent } from './chart-words.ts';

/** How much of the day's calls to the agency is spent. */
export function BudgetBar({ used, limit }: { used: number; limit: number }) {
  const share = limit > 0 ? Math.min(used / limit, 1) : 0;
  return (
    <div className="chart">
      <svg
        role="img"
        aria-label={`${percent(used, limit)} of the day's calls are used`}
        viewBox={`0 0 ${CHART.width} 24`}
        preserveAspectRatio="none"
        className="chart-budget"
      >
        <rect className="chart-track" width={CHART.width} height={24} />
        <rect
          className={share >= 0.9 ? 'chart-danger' : 'chart-primary'}
          width={share * CHART.width}
          height={24}
        />
      </svg>
    </div>
  );
}
