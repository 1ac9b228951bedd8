import './exports.scss';
import { EXPORT_SELECTION_MAX } from '@casewatch/contracts/limits';
import { useRef, useState } from 'react';
import Modal from 'react-bootstrap/Modal';
import { DialogHeader } from '../../components/dialog-header.tsx';
import { DownloadStatus } from './download-status.tsx';
import { EXPORT_FORMATS, type ExportFormat, loadExport } from './export-file.ts';
import { useDownload } from './use-download.ts';

const FORMATS: Record<ExportFormat, { name: string; hint: string }> = {
  cases: { name: 'Saved cases (CSV)', hint: 'A table for Excel or another spreadsheet: one line per case.' },
  history: { name: 'Case history (CSV)', hint: 'One line for each status that a case has had.' },
  notifications: {
    name: 'Notifications (CSV)',
    hint: 'One line for each status change you were notified of.',
  },
  report: {
    name: 'Report to print',
    hint: 'Cases, history and notifications as a page. Open it to print it or save it as PDF.',
  },
  json: { name: 'All of it (JSON)', hint: 'For other programs.' },
};

interface ExportDialogProps {
  /** Undefined: all saved cases. */
  receiptNumbers?: readonly string[];
  onHide: () => void;
}

/** Exports case data in a format of choice. */
export function ExportDialog({ receiptNumbers, onHide }: ExportDialogProps) {
  const [format, setFormat] = useState<ExportFormat>('cases');
  const { state, start, cancel } = useDownload();
  const action = useRef<HTMLButtonElement>(null);
  const isLoading = state.kind === 'loading';
  const isTooMany = (receiptNumbers?.length ?? 0) > EXPORT_SELECTION_MAX;
  const run = () => {
    if (isTooMany) return;
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
    void start((signal, onProgress) =>
      loadExport(format, { receiptNumbers, timeZone, now: new Date(), signal, onProgress }),
    );
  };
  const close = () => {
    cancel();
    onHide();
  };

  return (
    <Modal animation={false} show onHide={close} centered scrollable aria-labelledby="export-title">
      <DialogHeader title="Export case data" titleId="export-title" onClose={close} />
      <Modal.Body>
        <p>{scopeText(receiptNumbers)}</p>
        {isTooMany && (
          <p className="field-error" role="alert">
            At most {EXPORT_SELECTION_MAX.toLocaleString('en-US')} selected cases fit into one export. Clear
            the selection to export all of your cases.
          </p>
        )}
        <fieldset className="export-formats" disabled={isLoading}>
          <legend className="visually-hidden">What to export</legend>
          {EXPORT_FORMATS.map((one) => (
            <label key={one} className="export-format">
              <input
                type="radio"
                className="form-check-input"
                name="export-format"
                checked={format === one}
                onChange={() => setFormat(one)}
                aria-describedby={`export-hint-${one}`}
              />
              <span>{FORMATS[one].name}</span>
              <small id={`export-hint-${one}`}>{FORMATS[one].hint}</small>
            </label>
          ))}
        </fieldset>
        <DownloadStatus state={state} unit={format === 'history' ? 'history entries' : 'entries'} />
      </Modal.Body>
      <Modal.Footer>
        <button
          type="button"
          className="btn btn-outline-secondary"
          onClick={isLoading ? cancelAndStay : close}
        >
          {isLoading ? 'Cancel' : 'Close'}
        </button>
        <button
          type="button"
          ref={action}
          className="btn btn-primary"
          aria-disabled={isLoading || isTooMany}
          onClick={run}
        >
          {isLoading ? 'Exporting...' : 'Export'}
        </button>
      </Modal.Footer>
    </Modal>
  );

  function cancelAndStay() {
    cancel();
    action.current?.focus();
  }
}

function scopeText(receiptNumbers: readonly string[] | undefined): string {
  if (!receiptNumbers) return 'All of your saved cases, also those in the archive.';
  const { length } = receiptNumbers;
  return `${length.toLocaleString('en-US')} selected case${length === 1 ? '' : 's'}.`;
}
