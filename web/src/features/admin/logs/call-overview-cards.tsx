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
import { CAUSE_WORDS, milliseconds, percent } from './log-words.ts';
import { OverviewTable } from './overview-table.tsx';

const LIVE_EVERY_MS = 30_000;

/** Renders the last 24 hours in one row of small charts; causes, what is looked up most and the numbers by the hour unfold. */
export function CallOverviewCards({ isLive }: { isLive: boolean }) {
  const { data, error } = useCallOverview(isLive && LIVE_EVERY_MS);
  return (
    <section className="overview" aria-label="Last 24 hours" aria-busy={!data && !error}>
      {data ? (
        <Overview overview={data} />
      ) : (
        <>
          <p className="overview-note">
            {error ? 'The overview could not be loaded.' : 'Loading the overview...'}
          </p>
          <ErrorReference error={error} />
        </>
      )}
    </section>
  );
}

function Overview({ overview }: { overview: CallOverview }) {
  const { buckets, totals, budget } = overview;
  const { causes } = totals;
  return (
    <>
      <div className="card overview-tiles">
        <Tile
          title={`${grouped(totals.calls)} ${totals.calls === 1 ? 'lookup' : 'lookups'}`}
          note="in 24 hours"
        >
          <BarChart label="Lookups by the hour" values={buckets.map(({ calls }) => calls)} />
        </Tile>
        <Tile
          title={`${grouped(totals.errors)} failed`}
          note={`${grouped(causes.user)} user, ${grouped(causes.agency)} agency, ${grouped(causes.us)} Casewatch`}
        >
          <BarChart label="Failures by the hour" tone="danger" values={buckets.map(({ errors }) => errors)} />
        </Tile>
        <Tile title={`Agency: ${healthWords(overview)}`} note="every ten minutes">
          <HealthTimeline overview={overview} />
        </Tile>
        <Tile
          title={`${milliseconds(totals.p50Ms)} at p50`}
          note={`${milliseconds(totals.p95Ms)} at p95, dashed`}
        >
          <LineChart
            label="Latency by the hour, in milliseconds: p50 and, dashed, p95"
            lines={[
              { values: buckets.map(({ p50Ms }) => p50Ms), isDashed: false },
              { values: buckets.map(({ p95Ms }) => p95Ms), isDashed: true },
            ]}
          />
        </Tile>
        <Tile
          title={`${grouped(budget.usedToday)} of ${grouped(budget.callsPerDay)} calls`}
          note={`${percent(budget.usedToday, budget.callsPerDay)} of the day’s budget`}
        >
          <BudgetBar used={budget.usedToday} limit={budget.callsPerDay} />
        </Tile>
      </div>
      <details className="overview-details">
        <summary>Causes, most looked up, and the numbers by the hour</summary>
        <div className="overview-lists">
          <Causes overview={overview} />
          <MostLookedUp topReceipts={overview.topReceipts} />
        </div>
        <OverviewTable overview={overview} />
      </details>
    </>
  );
}

/** A number in words, what it is part of, and how it went. */
function Tile({ title, note, children }: { title: string; note: string; children: ReactNode }) {
  return (
    <div className="overview-tile">
      <p>
        <strong>{title}</strong> <span>{note}</span>
      </p>
      {children}
    </div>
  );
}

function Causes({ overview: { totals } }: { overview: CallOverview }) {
  return (
    <div>
      <h3>Failures by cause, {percent(totals.errors, totals.calls)} of all lookups</h3>
      <ul className="overview-list">
        {LOOKUP_CAUSES.map((cause) => (
          <li key={cause}>
            <Link to={searchHref(`cause:${cause}`)}>{CAUSE_WORDS[cause]}</Link>{' '}
            {grouped(totals.causes[cause])}
          </li>
        ))}
      </ul>
    </div>
  );
}

function MostLookedUp({ topReceipts }: Pick<CallOverview, 'topReceipts'>) {
  const seesPersonalData = useSeesPersonalData();
  return (
    <div>
      <h3>Most looked up</h3>
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
    </div>
  );
}

/** One bar for each hour. */
function BarChart({ label, values, tone = 'primary' }: BarChartProps) {
  const most = Math.max(0, ...values);
  return (
    <ChartFrame label={`${label}, at most ${grouped(most)}`}>
      {bars(values, niceTop(most)).map((bar) => (
        <rect key={bar.x} className={`chart-${tone}`} {...bar} />
      ))}
    </ChartFrame>
  );
}

interface BarChartProps {
  label: string;
  values: readonly number[];
  tone?: 'primary' | 'danger';
}

/** How much of the day's calls to the agency is spent. */
function BudgetBar({ used, limit }: { used: number; limit: number }) {
  const share = limit > 0 ? Math.min(used / limit, 1) : 0;
  return (
    <ChartFrame label={`${percent(used, limit)} of the day’s calls are used`}>
      <rect className="chart-track" width={CHART.width} height={CHART.height} />
      <rect
        className={share >= 0.9 ? 'chart-danger' : 'chart-primary'}
        width={share * CHART.width}
        height={CHART.height}
      />
    </ChartFrame>
  );
}
