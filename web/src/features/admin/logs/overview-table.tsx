import type { CallOverview } from '@casewatch/contracts/admin-log';
import { grouped } from '../shared/admin-words.tsx';
import { hourOf, milliseconds } from './log-words.ts';

/** Renders the numbers behind the charts, hour by hour. */
export function OverviewTable({ overview }: { overview: CallOverview }) {
  return (
    <div className="card overview-table-box">
      <table className="admin-table">
        <caption className="visually-hidden">Lookups of the last 24 hours, by the hour</caption>
        <thead>
          <tr>
            <th scope="col">Hour</th>
            <th scope="col">Calls</th>
            <th scope="col">Errors</th>
            <th scope="col">User</th>
            <th scope="col">Agency</th>
            <th scope="col">Casewatch</th>
            <th scope="col">p50</th>
            <th scope="col">p95</th>
          </tr>
        </thead>
        <tbody>
          {overview.buckets.map(({ at, calls, errors, causes, p50Ms, p95Ms }) => (
            <tr key={at}>
              <th scope="row" data-label="Hour">
                {hourOf(at)}
              </th>
              <td data-label="Calls">{grouped(calls)}</td>
              <td data-label="Errors">{grouped(errors)}</td>
              <td data-label="User">{grouped(causes.user)}</td>
              <td data-label="Agency">{grouped(causes.agency)}</td>
              <td data-label="Casewatch">{grouped(causes.us)}</td>
              <td data-label="p50">{milliseconds(p50Ms)}</td>
              <td data-label="p95">{milliseconds(p95Ms)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
