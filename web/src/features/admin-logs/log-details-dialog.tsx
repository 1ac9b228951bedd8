import type { ApiLog } from '@casewatch/contracts/admin-log';
import type { ReactNode } from 'react';
import Modal from 'react-bootstrap/Modal';
import { DialogHeader } from '../../components/dialog-header.tsx';
import { exactMoment, payloadText, resultWords, sourceWords } from './log-words.ts';

interface LogDetailsDialogProps {
  log: ApiLog;
  show: boolean;
  onHide: () => void;
}

/** Everything that is known of one call. */
export function LogDetailsDialog({ log, show, onHide }: LogDetailsDialogProps) {
  return (
    <Modal
      animation={false}
      show={show}
      onHide={onHide}
      size="lg"
      scrollable
      aria-labelledby="log-details-title"
    >
      <DialogHeader title="API Log Details" titleId="log-details-title" onClose={onHide} />
      {/* A body that scrolls is reached with the keyboard. */}
      <Modal.Body tabIndex={0}>
        <dl className="facts">
          <Fact name="Timestamp">{exactMoment(log.createdAt)}</Fact>
          <Fact name="Endpoint">{log.endpoint}</Fact>
          <Fact name="Status Code">{log.statusCode ?? 'No answer'}</Fact>
          <Fact name="Result">{resultWords(log)}</Fact>
          <Fact name="Source">{sourceWords(log.source)}</Fact>
          <Fact name="Duration">{log.durationMs} ms</Fact>
          <Fact name="Receipt Numbers">
            <span className="receipt-number">{log.receiptNumbers.join(', ') || '-'}</span>
          </Fact>
          <Fact name="User Name">{log.userFirstName ?? '-'}</Fact>
          <Fact name="User ID">{log.userId ?? '-'}</Fact>
        </dl>
        <Payload name="Request Payload" payload={log.requestPayload} />
        <Payload name="Response Payload" payload={log.responsePayload} />
      </Modal.Body>
    </Modal>
  );
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
