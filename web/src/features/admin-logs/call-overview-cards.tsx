import type { CallOverview } from '@casewatch/contracts/admin-log';
import type { ReactNode } from 'react';
import { useCallOverview } from '../../api/admin-logs.ts';
import { BarChart } from './bar-chart.tsx';
import { BudgetBar } from './budget-bar.tsx';
import { hourOf, milliseconds, percent } from './chart-words.ts';
import { LineChart } from './line-chart.tsx';
import { OverviewTable } from './overview-table.tsx';

const LIVE_EVERY_MS = 30_000;

/** The last 24 hours at a glance: calls, errors, latency and the budget used, each with its numbers. */
export function CallOverviewCards({ isLive }: { isLive: boolean }) {
  const { data, isError } = useCallOverview(isLive && LIVE_EVERY_MS);
  if (data === undefined) {
    return (
      <section className="overview" aria-label="Last 24 hours" aria-busy={!isError}>
        <p className="overview-note">
          {isError ? 'The overview could not be loaded.' : 'Loading the overview...'}
        </p>
      </section>
    );
  }
  return <Overview overview={data} />;
}

function Overview({ overview }: { overview: CallOverview }) {
  const { buckets, totals, budget } = overview;
  const hours = { first: hourOf(buckets.at(0)?.at), last: hourOf(buckets.at(-1)?.at) };
  return (
    <section className="overview" aria-label="Last 24 hours">
      <div className="overview-cards">
        <OverviewCard title="Calls" numbers={[['in 24 hours', String(totals.calls)]]}>
          <BarChart label="Calls by the hour" values={buckets.map(({ calls }) => calls)} {...hours} />
        </OverviewCard>
        <OverviewCard
          title="Errors"
          numbers={[
            ['in 24 hours', String(totals.errors)],
            ['of all calls', percent(totals.errors, totals.calls)],
          ]}
        >
          <BarChart
            label="Errors by the hour"
            tone="danger"
            values={buckets.map(({ errors }) => errors)}
            {...hours}
          />
        </OverviewCard>
        <OverviewCard
          title="Latency"
          numbers={[
            ['p50', milliseconds(totals.p50Ms)],
            ['p95', milliseconds(totals.p95Ms)],
          ]}
        >
          <LineChart
            label="Latency by the hour, in milliseconds: p50 and, dashed, p95"
            unit=" ms"
            lines={[
              { values: buckets.map(({ p50Ms }) => p50Ms), isDashed: false },
              { values: buckets.map(({ p95Ms }) => p95Ms), isDashed: true },
            ]}
            {...hours}
          />
        </OverviewCard>
        <OverviewCard
          title="Budget used today"
          numbers={[
            ['calls', `${budget.usedToday} of ${budget.callsPerDay}`],
            ['of the day', percent(budget.usedToday, budget.callsPerDay)],
          ]}
        >
          <BudgetBar used={budget.usedToday} limit={budget.callsPerDay} />
        </OverviewCard>
      </div>
      <OverviewTable overview={overview} />
    </section>
  );
}

interface OverviewCardProps {
  title: string;
  numbers: readonly (readonly [name: string, value: string])[];
  children: ReactNode;
}

function OverviewCard({ title, numbers, children }: OverviewCardProps) {
  return (
    <div className="card overview-card">
      <h3>{title}</h3>
      <dl className="overview-numbers">
        {numbers.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {children}
    </div>
  );
}
