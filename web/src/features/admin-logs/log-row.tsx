import type { ApiLog } from '@casewatch/contracts/admin-log';
import { memo } from 'react';
import { exactMoment, resultWords, sourceWords } from './log-words.ts';

const RECEIPTS_SHOWN = 3;

interface LogRowProps {
  log: ApiLog;
  onOpen: (log: ApiLog) => void;
}

/** One call. Its button covers the whole row, so a press anywhere on it opens the details. */
export const LogRow = memo(function LogRow({ log, onOpen }: LogRowProps) {
  return (
    <tr data-testid="log-row">
      <td data-label="Timestamp">
        <button type="button" className="row-button" onClick={() => onOpen(log)}>
          <time dateTime={log.createdAt}>{exactMoment(log.createdAt)}</time>
        </button>
      </td>
      <td data-label="Endpoint" className="log-endpoint">
        {log.endpoint}
      </td>
      <td data-label="Receipt Numbers" className="receipt-number">
        {receiptWords(log.receiptNumbers)}
      </td>
      <td data-label="User Name">{log.userFirstName ?? '-'}</td>
      <td data-label="Source">{sourceWords(log.source)}</td>
      <td data-label="Status">{log.statusCode ?? 'No answer'}</td>
      <td data-label="Result">
        <span className={`status-badge status-badge-${log.success ? 'default' : 'destructive'}`}>
          {resultWords(log)}
        </span>
      </td>
    </tr>
  );
});

function receiptWords(receiptNumbers: readonly string[]): string {
  const more = receiptNumbers.length - RECEIPTS_SHOWN;
  const shown = receiptNumbers.slice(0, RECEIPTS_SHOWN).join(', ');
  return more > 0 ? `${shown} and ${more} more` : shown || '-';
}
