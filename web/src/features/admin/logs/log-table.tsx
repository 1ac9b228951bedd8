import type { ApiLog } from '@casewatch/contracts/admin-log';
import { memo } from 'react';
import { grouped, timeZoneName } from '../shared/admin-words.tsx';
import type { LogColumn } from './log-columns.tsx';
import { exactMoment } from './log-words.ts';
import type { LiveTail } from './use-live-tail.ts';
import { useSteadyRows } from './use-steady-rows.ts';

interface LogTableProps {
  logs: readonly ApiLog[];
  columns: readonly LogColumn[];
  /** Rows may come above: the table then scrolls by itself and holds still what is being read. */
  isLive: boolean;
  /** What has come above so far. */
  tail: LiveTail;
  onOpen: (log: ApiLog) => void;
}

export function LogTable({ logs, columns, isLive, tail, onOpen }: LogTableProps) {
  const { box, onScroll, unseen, isPaused, rows, showNewest } = useSteadyRows(isLive, tail.count, logs);
  return (
    <>
      {isLive && <LiveBar tail={tail} unseen={unseen} isPaused={isPaused} onShowNewest={showNewest} />}
      {logs.length === 0 ? (
        <div className="card admin-message">
          <p>No API logs found</p>
        </div>
      ) : (
        <div className={`card log-table-box ${isLive ? 'log-table-live' : ''}`} ref={box} onScroll={onScroll}>
          <table className="admin-table log-table">
            <caption className="visually-hidden">
              Lookups at the agency, newest first; times are in {timeZoneName()}
            </caption>
            <thead>
              <tr>
                <th scope="col">Timestamp</th>
                {columns.map(({ key, label }) => (
                  <th key={key} scope="col">
                    {label}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map((log) => (
                <LogRow key={log.id} log={log} columns={columns} onOpen={onOpen} />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </>
  );
}

interface LogRowProps {
  log: ApiLog;
  columns: readonly LogColumn[];
  onOpen: (log: ApiLog) => void;
}

/** One lookup. Its button covers the whole row, so a press anywhere on it opens the details. */
const LogRow = memo(function LogRow({ log, columns, onOpen }: LogRowProps) {
  return (
    <tr data-testid="log-row" data-place={log.place} className="row-opens">
      <td data-label="Timestamp" className="log-time">
        <button type="button" className="row-button" onClick={() => onOpen(log)}>
          <time dateTime={log.createdAt}>{exactMoment(log.createdAt)}</time>
        </button>
      </td>
      {columns.map(({ key, label, className = '', cell }) => (
        <td key={key} data-label={label} className={`${className} log-${key}`}>
          {cell(log)}
        </td>
      ))}
    </tr>
  );
});

interface LiveBarProps {
  tail: LiveTail;
  /** How many have come since the newest were last looked at. */
  unseen: number;
  /** The reader has scrolled: nothing moves until the newest are asked for. */
  isPaused: boolean;
  onShowNewest: () => void;
}

/** Renders how the live tail is getting on, and the way to what has come. It takes the same room whatever it says. */
function LiveBar({ tail, unseen, isPaused, onShowNewest }: LiveBarProps) {
  return (
    <div className="live-bar">
      <p role="status">{tailWords(tail, isPaused)}</p>
      {(unseen > 0 || isPaused) && (
        <button type="button" className="btn btn-sm btn-primary" onClick={onShowNewest}>
          {unseen > 0 ? `Show ${grouped(unseen)} new` : 'Resume'}
        </button>
      )}
    </div>
  );
}

function tailWords({ count, isInterrupted }: LiveTail, isPaused: boolean): string {
  if (isInterrupted) return 'The live tail is interrupted. It reconnects automatically.';
  if (count === 0) return 'Waiting for new calls...';
  const arrived = `${grouped(count)} new ${count === 1 ? 'call' : 'calls'}`;
  return isPaused ? `${arrived}. Paused while you scroll.` : arrived;
}
