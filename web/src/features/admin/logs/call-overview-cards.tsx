import type { CallOverview } from '@casewatch/contracts/admin-log';
import { LOOKUP_CAUSES } from '@casewatch/contracts/lookup-outcomes';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { useCallOverview } from '../../../api/admin-logs.ts';
import { ErrorReference } from '../../../components/error-reference.tsx';
import { useSeesPersonalData } from '../shared/admin-context.ts';
import { grouped } from '../shared/admin-words.tsx';
import { ChartFrame, LineChart } from './chart-frame.tsx';
import { bars, CHART, niceTop } from './chart-shapes.ts';
import { HealthTimeline, healthWords } from './health-timeline.tsx';
import { searchHref } from './log-filters.ts';
import { CAUSE_WORDS, hourOf, milliseconds, percent } from './log-words.ts';
import { OverviewTable } from './overview-table.tsx';

const LIVE_EVERY_MS = 30_000;

/** Renders the last 24 hours in one line, which unfolds to charts: lookups, errors by cause, the agency's health, latency, budget. */
export function CallOverviewCards({ isLive }: { isLive: boolean }) {
  const { data, error } = useCallOverview(isLive && LIVE_EVERY_MS);
  if (data === undefined) {
    return (
      <section className="overview" aria-label="Last 24 hours" aria-busy={!error}>
        <p className="overview-note">
          {error ? 'The overview could not be loaded.' : 'Loading the overview...'}
        </p>
        <ErrorReference error={error} />
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
      <details className="overview-fold">
        <OverviewSummary overview={overview} />
        <div className="overview-cards">
          <OverviewCard title="Calls" numbers={[['lookups in 24 hours', grouped(totals.calls)]]}>
            <BarChart label="Calls by the hour" values={buckets.map(({ calls }) => calls)} {...hours} />
          </OverviewCard>
          <ErrorsCard overview={overview} hours={hours} />
          <OverviewCard title="Agency health" numbers={[['now', healthWords(overview)]]}>
            <HealthTimeline overview={overview} />
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
              ['calls', `${grouped(budget.usedToday)} of ${grouped(budget.callsPerDay)}`],
              ['of the day', percent(budget.usedToday, budget.callsPerDay)],
            ]}
          >
            <BudgetBar used={budget.usedToday} limit={budget.callsPerDay} />
          </OverviewCard>
          <MostLookedUpCard topReceipts={overview.topReceipts} />
        </div>
        <OverviewTable overview={overview} />
      </details>
    </section>
  );
}

function OverviewSummary({ overview }: { overview: CallOverview }) {
  const { totals, budget } = overview;
  const { causes } = totals;
  return (
    <summary>
      <span>Last 24 hours</span>
      <span className="overview-line">
        <span>
          {grouped(totals.calls)} {totals.calls === 1 ? 'lookup' : 'lookups'}
        </span>
        <span>
          {grouped(totals.errors)} failed ({grouped(causes.user)} user, {grouped(causes.agency)} agency,{' '}
          {grouped(causes.us)} Casewatch)
        </span>
        <span>Agency: {healthWords(overview)}</span>
        <span>
          {grouped(budget.usedToday)} of {grouped(budget.callsPerDay)} calls today
        </span>
      </span>
    </summary>
  );
}

function ErrorsCard({ overview, hours }: { overview: CallOverview; hours: { first: string; last: string } }) {
  const { buckets, totals } = overview;
  return (
    <OverviewCard
      title="Errors"
      numbers={[
        ['in 24 hours', grouped(totals.errors)],
        ['of all', percent(totals.errors, totals.calls)],
      ]}
    >
      <ul className="overview-list">
        {LOOKUP_CAUSES.map((cause) => (
          <li key={cause}>
            <Link to={searchHref(`cause:${cause}`)}>{CAUSE_WORDS[cause]}</Link>{' '}
            {grouped(totals.causes[cause])}
          </li>
        ))}
      </ul>
      <BarChart
        label="Errors by the hour"
        tone="danger"
        values={buckets.map(({ errors }) => errors)}
        {...hours}
      />
    </OverviewCard>
  );
}

function MostLookedUpCard({ topReceipts }: Pick<CallOverview, 'topReceipts'>) {
  const seesPersonalData = useSeesPersonalData();
  return (
    <OverviewCard title="Most looked up" numbers={[]}>
      {topReceipts.length === 0 ? (
        <p className="overview-note">No lookups.</p>
      ) : (
        <ol className="overview-list">
          {topReceipts.map(({ receiptNumber, lookups }) => (
            <li key={receiptNumber}>
              {seesPersonalData ? (
                <Link className="receipt-number" to={searchHref(`receipt:${receiptNumber}`)}>
                  {receiptNumber}
                </Link>
              ) : (
                <span className="receipt-number">{receiptNumber}</span>
              )}{' '}
              {grouped(lookups)} {lookups === 1 ? 'time' : 'times'}
            </li>
          ))}
        </ol>
      )}
    </OverviewCard>
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
      {numbers.length > 0 && (
        <dl className="overview-numbers">
          {numbers.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      )}
      {children}
    </div>
  );
}

interface BarChartProps {
  label: string;
  values: readonly number[];
  tone?: 'primary' | 'danger';
  first: string;
  last: string;
}

/** One bar for each hour. */
function BarChart({ label, values, tone = 'primary', first, last }: BarChartProps) {
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

/** How much of the day's calls to the agency is spent. */
function BudgetBar({ used, limit }: { used: number; limit: number }) {
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
