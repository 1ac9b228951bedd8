import type { ApiLog } from '@casewatch/contracts/admin-log';
import { memo } from 'react';
import type { LogColumn } from './log-columns.tsx';
import { exactMoment } from './log-words.ts';

interface LogRowProps {
  log: ApiLog;
  columns: readonly LogColumn[];
  onOpen: (log: ApiLog) => void;
}

/** One lookup. Its button covers the whole row, so a press anywhere on it opens the details. */
export const LogRow = memo(function LogRow({ log, columns, onOpen }: LogRowProps) {
  return (
    <tr data-testid="log-row" data-place={log.place}>
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
