import type { ApiLog } from '@casewatch/contracts/admin-log';
import type { ReactNode } from 'react';
import Modal from 'react-bootstrap/Modal';
import { Link } from 'react-router-dom';
import { DialogHeader } from '../../../components/dialog-header.tsx';
import { useSeesPersonalData } from '../shared/admin-context.ts';
import { grouped, timeZoneName } from '../shared/admin-words.tsx';
import { searchHref } from './log-filters.ts';
import {
  exactMoment,
  milliseconds,
  ORIGIN_WORDS,
  OUTCOME_WORDS,
  payloadText,
  resultWords,
  sourceWords,
  statusWords,
} from './log-words.ts';

interface LogDetailsDialogProps {
  log: ApiLog;
  show: boolean;
  onHide: () => void;
}

/** Renders everything that is known of one lookup, next to the list where there is room. */
export function LogDetailsDialog({ log, show, onHide }: LogDetailsDialogProps) {
  const seesPersonalData = useSeesPersonalData();
  return (
    <Modal
      animation={false}
      show={show}
      onHide={onHide}
      scrollable
      dialogClassName="log-pane"
      aria-labelledby="log-details-title"
    >
      <DialogHeader title="API log details" titleId="log-details-title" onClose={onHide} />
      {/* A body that scrolls is reached with the keyboard. */}
      <Modal.Body tabIndex={0}>
        <p className={`log-reason log-outcome-${log.success ? 'fine' : (log.cause ?? 'none')}`}>
          <strong>{OUTCOME_WORDS[log.outcome]}.</strong> {log.reason}{' '}
          {log.code !== null && <code>{log.code}</code>}
          {log.servedStale && ' The user saw an older status, marked as older.'}
        </p>
        <nav aria-label="Related lookups" className="log-links">
          {linksOf(log, seesPersonalData).map(([words, q]) => (
            <Link key={words} to={searchHref(q)}>
              {words}
            </Link>
          ))}
        </nav>
        <dl className="facts">
          <Fact name="Timestamp">
            {exactMoment(log.createdAt)}{' '}
            <span className="admin-zone">{timeZoneName(new Date(log.createdAt))}</span>
          </Fact>
          <Fact name="Endpoint">{log.endpoint}</Fact>
          <Fact name="Status Code">{statusWords(log)}</Fact>
          <Fact name="Result">{resultWords(log)}</Fact>
          <Fact name="Source">{sourceWords(log.source)}</Fact>
          <Fact name="Requested by">{log.origin === null ? '-' : ORIGIN_WORDS[log.origin]}</Fact>
          <Fact name="Duration">{milliseconds(log.durationMs)}</Fact>
          <Fact name="Time split">
            {`${grouped(log.queueMs)} ms in the queue, ${grouped(log.agencyMs)} ms at the agency`}
          </Fact>
          <Fact name="Agency calls">{grouped(log.agencyCalls)}</Fact>
          <Fact name="Receipt Numbers">
            <span className="receipt-number">{log.receiptNumbers.join(', ') || '-'}</span>
          </Fact>
          <Fact name="User Name">{log.userFirstName ?? '-'}</Fact>
          <Fact name="User ID">{log.userId ?? '-'}</Fact>
          <Fact name="Tier">{log.tier === null ? '-' : log.tier === 'pro' ? 'Pro' : 'Free'}</Fact>
          <Fact name="Request ID">{log.requestId ?? '-'}</Fact>
          <Fact name="Trace ID">{log.traceId ?? '-'}</Fact>
        </dl>
        {log.earlierCalls.map((call, nth) => (
          <Payload
            // biome-ignore lint/suspicious/noArrayIndexKey: calls have no id, and their order does not change
            key={nth}
            name={`Call ${nth + 1}: ${call.statusCode ?? 'no answer'}, ${call.code} (${milliseconds(call.durationMs)})`}
            payload={call.responsePayload}
          />
        ))}
        <Payload name="Request Payload" payload={log.requestPayload} />
        <Payload name="Response Payload" payload={log.responsePayload} />
        <p className="log-masked">Credentials in payloads are masked before they are stored.</p>
      </Modal.Body>
    </Modal>
  );
}

const HOUR_MS = 3_600_000;

/** Searches that begin at this row, each with its words; none for what is masked. */
function linksOf(
  { requestId, userId, receiptNumbers, createdAt }: ApiLog,
  seesPersonalData: boolean,
): (readonly [string, string])[] {
  const endMs = Date.parse(createdAt);
  const since = new Date(endMs - HOUR_MS).toISOString();
  const until = new Date(endMs).toISOString();
  return [
    ...(requestId === null ? [] : [['This request', `request:${requestId}`] as const]),
    ...(userId === null
      ? []
      : [['This user’s last hour', `user:${userId} created:>=${since} created:<=${until}`] as const]),
    ...(seesPersonalData ? receiptNumbers.slice(0, 1) : []).map(
      (number) => ['This receipt’s history', `receipt:${number}`] as const,
    ),
  ];
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Payload({ name, payload }: { name: string; payload: unknown }) {
  const text = payloadText(payload);
  return (
    <section className="payload">
      <h3>{name}</h3>
      {text === null ? <p>None, or no longer kept.</p> : <pre>{text}</pre>}
    </section>
  );
}
