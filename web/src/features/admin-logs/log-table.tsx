import type { ApiLog } from '@casewatch/contracts/admin-log';
import { LiveBar } from './live-bar.tsx';
import { LogRow } from './log-row.tsx';
import type { LiveTail } from './use-live-tail.ts';
import { useSteadyRows } from './use-steady-rows.ts';

interface LogTableProps {
  logs: readonly ApiLog[];
  /** Rows may come above: the table then scrolls by itself and holds still what is being read. */
  isLive: boolean;
  /** What has come above so far. */
  tail: LiveTail;
  onOpen: (log: ApiLog) => void;
}

export function LogTable({ logs, isLive, tail, onOpen }: LogTableProps) {
  const { box, onScroll, unseen, showNewest } = useSteadyRows(isLive, tail.count);
  return (
    <>
      {isLive && <LiveBar tail={tail} unseen={unseen} onShowNewest={showNewest} />}
      {logs.length === 0 ? (
        <div className="card admin-message">
          <p>No API logs found</p>
        </div>
      ) : (
        <div className={`card log-table-box ${isLive ? 'log-table-live' : ''}`} ref={box} onScroll={onScroll}>
          <table className="admin-table">
            <caption className="visually-hidden">Calls to the agency, newest first</caption>
            <thead>
              <tr>
                <th scope="col">Timestamp</th>
                <th scope="col">Endpoint</th>
                <th scope="col">Receipt Numbers</th>
                <th scope="col">User Name</th>
                <th scope="col">Source</th>
                <th scope="col">Status</th>
                <th scope="col">Result</th>
              </tr>
            </thead>
            <tbody>
              {logs.map((log) => (
                <LogRow key={log.id} log={log} onOpen={onOpen} />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </>
  );
}
