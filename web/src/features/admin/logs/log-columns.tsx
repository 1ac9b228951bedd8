import type { ApiLog } from '@casewatch/contracts/admin-log';
import { type ReactNode, useState } from 'react';
import { Icon } from '../../../components/icon.tsx';
import { grouped } from '../shared/admin-words.tsx';
import {
  milliseconds,
  ORIGIN_WORDS,
  OUTCOME_ICONS,
  OUTCOME_WORDS,
  resultWords,
  sourceWords,
  statusWords,
} from './log-words.ts';

export interface LogColumn {
  readonly key: string;
  readonly label: string;
  readonly className?: string;
  readonly cell: (log: ApiLog) => ReactNode;
}

const RECEIPTS_SHOWN = 1;

/** The columns after the timestamp, which is always shown, in the order of the table. */
export const LOG_COLUMNS: readonly LogColumn[] = [
  { key: 'endpoint', label: 'Endpoint', cell: (log) => <Route log={log} /> },
  {
    key: 'receipts',
    label: 'Receipt Numbers',
    className: 'receipt-number',
    cell: ({ receiptNumbers }) => receiptWords(receiptNumbers),
  },
  { key: 'user', label: 'User Name', cell: ({ userFirstName }) => userFirstName ?? '-' },
  { key: 'source', label: 'Source', cell: ({ source }) => sourceWords(source) },
  { key: 'status', label: 'Status', cell: statusWords },
  { key: 'result', label: 'Result', className: 'log-result', cell: (log) => <Result log={log} /> },
  { key: 'via', label: 'Via', cell: ({ origin }) => (origin === null ? '-' : ORIGIN_WORDS[origin]) },
  { key: 'tier', label: 'Tier', cell: ({ tier }) => (tier === null ? '-' : tier === 'pro' ? 'Pro' : 'Free') },
  { key: 'calls', label: 'Agency calls', cell: ({ agencyCalls }) => grouped(agencyCalls) },
  { key: 'request', label: 'Request ID', cell: ({ requestId }) => requestId?.slice(0, 8) ?? '-' },
];

const SPECIFIED = ['endpoint', 'receipts', 'user', 'source', 'status', 'result'];
const KEY = 'admin-log-columns';

/** Returns the columns that this browser shows, and a way to choose others. */
export function useLogColumns() {
  const [shown, setShown] = useState(readShown);
  const toggle = (key: string) => {
    const next = shown.includes(key) ? shown.filter((one) => one !== key) : [...shown, key];
    setShown(next);
    try {
      localStorage.setItem(KEY, JSON.stringify(next));
    } catch {
      // A browser that keeps nothing shows them until it is reloaded.
    }
  };
  return { columns: LOG_COLUMNS.filter(({ key }) => shown.includes(key)), shown, toggle };
}

function readShown(): readonly string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? 'null');
    return Array.isArray(kept) ? kept.filter((key): key is string => typeof key === 'string') : SPECIFIED;
  } catch {
    return SPECIFIED;
  }
}

/** The endpoint without the receipt number, which has a column of its own, and how long the lookup took. */
function Route({ log: { endpoint, receiptNumbers, durationMs } }: { log: ApiLog }) {
  const route = receiptNumbers.reduce(
    (path, receiptNumber) => path.replace(`/${receiptNumber}`, ''),
    endpoint,
  );
  return (
    <>
      {route} <span className="log-duration">{milliseconds(durationMs)}</span>
    </>
  );
}

/** Muted where all is well; what is wrong is shown in words, not only in color. */
function Result({ log }: { log: ApiLog }) {
  const { outcome, cause, success } = log;
  return (
    <span className={`log-outcome log-outcome-${success ? 'fine' : (cause ?? 'none')}`}>
      <Icon name={OUTCOME_ICONS[outcome]} size={15} />
      <span>
        <span className="log-result-word">{resultWords(log)}</span>
        {outcome !== 'answered' && <span className="log-outcome-words">{OUTCOME_WORDS[outcome]}</span>}
      </span>
    </span>
  );
}

function receiptWords(receiptNumbers: readonly string[]): string {
  const more = receiptNumbers.length - RECEIPTS_SHOWN;
  const shown = receiptNumbers.slice(0, RECEIPTS_SHOWN).join(', ');
  return more > 0 ? `${shown} +${grouped(more)}` : shown || '-';
}
