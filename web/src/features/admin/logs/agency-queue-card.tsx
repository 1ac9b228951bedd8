import type { AgencyQueueNow } from '@casewatch/contracts/agency-queue';
import { useEffect, useState } from 'react';
import { Link } from 'react-router-dom';
import { useAgencyQueue } from '../../../api/admin-logs.ts';
import { LoadFailure } from '../../../components/load-failure.tsx';
import { grouped } from '../shared/admin-words.tsx';
import { searchHref } from './log-filters.ts';
import { exactMoment } from './log-words.ts';

/** Another process takes over within this time: before, it is nothing to worry about that none calls. */
const TAKES_OVER_MS = 5_000;

/** Renders which process calls the agency, and what waits for it, now. */
export function AgencyQueueCard() {
  const { data, error, dataUpdatedAt, refetch } = useAgencyQueue();
  const isAlone = useLasts(data !== undefined && data.caller === null, TAKES_OVER_MS);
  return (
    <section className="card queue-card" aria-labelledby="agency-queue" aria-busy={!data && !error}>
      <h3 id="agency-queue">Waiting for the agency</h3>
      {/* Says only what needs attention: numbers change all the time. */}
      <p role="status" className="queue-alarm">
        {data && alarmOf(data, isAlone)}
      </p>
      {data && error && (
        <p className="overview-note">
          This could not be read again, and is from {exactMoment(new Date(dataUpdatedAt).toISOString())}. It
          is tried again by itself.
        </p>
      )}
      {data ? (
        <Queue queue={data} />
      ) : error ? (
        <LoadFailure isPart error={error} onRetry={() => void refetch()}>
          <p>The queue could not be loaded.</p>
        </LoadFailure>
      ) : (
        <p className="overview-note">Loading the queue...</p>
      )}
    </section>
  );
}

function alarmOf({ quotaSpentUntil }: AgencyQueueNow, isAlone: boolean): string {
  if (isAlone) {
    return 'No process is calling the agency right now, so lookups will not be answered. Check that a cases process runs and reaches PostgreSQL (DATABASE_DIRECT_URL); its log says why it cannot call.';
  }
  if (quotaSpentUntil === null) return '';
  return `The agency says that today’s quota is used up until ${exactMoment(quotaSpentUntil)}.`;
}

function Queue({ queue }: { queue: AgencyQueueNow }) {
  const { caller, pausedUntil, people, scheduledChecks, longest } = queue;
  const isEmpty = people.lookups + scheduledChecks.lookups === 0;
  return (
    <>
      <p className="overview-note">
        {caller
          ? `${caller.name} has been calling the agency since ${exactMoment(caller.since)}.`
          : 'No caller at the moment.'}
      </p>
      {pausedUntil !== null && (
        <p>
          The agency answered &ldquo;too many requests&rdquo;: calls pause until {exactMoment(pausedUntil)}.
        </p>
      )}
      {isEmpty ? (
        <p>Nothing is waiting.</p>
      ) : (
        <dl className="overview-numbers">
          <Waiting name="from people" waiting={people} />
          <Waiting name="from scheduled checks" waiting={scheduledChecks} />
        </dl>
      )}
      {longest.length > 0 && (
        <>
          <h4 className="overview-note">Most waiting</h4>
          <ol className="overview-list">
            {longest.map(({ userId, userFirstName, lookups }, nth) => (
              <li key={userId ?? nth}>
                {userId === null ? (
                  'A user'
                ) : (
                  <>
                    <Link to={searchHref(`user:${userId}`)}>{userFirstName}</Link> <small>{userId}</small>
                  </>
                )}{' '}
                {grouped(lookups)} {lookups === 1 ? 'lookup' : 'lookups'}
              </li>
            ))}
          </ol>
        </>
      )}
    </>
  );
}

function Waiting({ name, waiting }: { name: string; waiting: AgencyQueueNow['people'] }) {
  const { lookups, oldestMs } = waiting;
  const oldest = lookups === 0 ? '' : `, the oldest for ${grouped(Math.floor(oldestMs / 1_000))} s`;
  return (
    <div>
      <dt>
        {name}
        {oldest}
      </dt>
      <dd>{grouped(lookups)}</dd>
    </div>
  );
}

/** Whether something has been so for that long without a break. */
function useLasts(isSo: boolean, ms: number): boolean {
  const [lasts, setLasts] = useState(false);
  useEffect(() => {
    setLasts(false);
    if (!isSo) return;
    const timer = window.setTimeout(() => setLasts(true), ms);
    return () => window.clearTimeout(timer);
  }, [isSo, ms]);
  return lasts;
}
