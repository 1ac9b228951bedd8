import { EXPORT_SELECTION_MAX } from '@casewatch/contracts/limits';
import { i18n, type MessageDescriptor } from '@lingui/core';
import { msg, plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useRef, useState } from 'react';
import Modal from 'react-bootstrap/Modal';
import { Button } from '../../components/button.tsx';
import { DialogHeader } from '../../components/dialog-header.tsx';
import { count } from '../../lib/format-number.ts';
import { serverNowMs } from '../../lib/server-clock.ts';
import { DownloadStatus } from './download-status.tsx';
import { EXPORT_FORMATS, type ExportFormat, loadExport } from './export-file.ts';
import { useDownload } from './use-download.ts';

const FORMATS: Record<ExportFormat, { name: MessageDescriptor; hint: MessageDescriptor }> = {
  cases: {
    name: msg`Saved cases (CSV)`,
    hint: msg`A table for Excel or another spreadsheet: one line per case.`,
  },
  history: { name: msg`Case history (CSV)`, hint: msg`One line for each status that a case has had.` },
  notifications: {
    name: msg`Notifications (CSV)`,
    hint: msg`One line for each status change you were notified of.`,
  },
  report: {
    name: msg`Report to print`,
    hint: msg`Cases, history and notifications as a page. Open it to print it or save it as PDF.`,
  },
  json: { name: msg`Everything (JSON)`, hint: msg`For other programs.` },
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
  const most = count(EXPORT_SELECTION_MAX);
  const isTooMany = (receiptNumbers?.length ?? 0) > EXPORT_SELECTION_MAX;
  const run = () => {
    if (isTooMany) return;
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
    void start((signal, onProgress) =>
      loadExport(format, { receiptNumbers, timeZone, now: new Date(serverNowMs()), signal, onProgress }),
    );
  };
  const close = () => {
    cancel();
    onHide();
  };

  return (
    <Modal animation={false} show onHide={close} centered scrollable aria-labelledby="export-title">
      <DialogHeader title={t`Export case data`} titleId="export-title" onClose={close} />
      <Modal.Body>
        <p>{scopeText(receiptNumbers)}</p>
        {isTooMany && (
          <p className="field-error" role="alert">
            <Trans>
              You can export up to {most} selected cases at once. Clear the selection to export all of your
              cases.
            </Trans>
          </p>
        )}
        <fieldset className="export-formats" disabled={isLoading}>
          <legend className="visually-hidden">
            <Trans>What to export</Trans>
          </legend>
          {EXPORT_FORMATS.map((one) => (
            <label key={one} className="export-format">
              <input
                type="radio"
                className="choice-input"
                name="export-format"
                checked={format === one}
                onChange={() => setFormat(one)}
                aria-labelledby={`export-name-${one}`}
                aria-describedby={`export-hint-${one}`}
              />
              <span id={`export-name-${one}`}>{i18n._(FORMATS[one].name)}</span>
              <small id={`export-hint-${one}`}>{i18n._(FORMATS[one].hint)}</small>
            </label>
          ))}
        </fieldset>
        <DownloadStatus state={state} unit={format === 'history' ? t`history entries` : t`entries`} />
      </Modal.Body>
      <Modal.Footer>
        <Button look="secondary" onClick={isLoading ? cancelAndStay : close}>
          {isLoading ? t`Cancel` : t`Close`}
        </Button>
        <Button ref={action} look="primary" aria-disabled={isLoading || isTooMany} onClick={run}>
          {isLoading ? t`Exporting...` : t`Export`}
        </Button>
      </Modal.Footer>
    </Modal>
  );

  function cancelAndStay() {
    cancel();
    action.current?.focus();
  }
}

function scopeText(receiptNumbers: readonly string[] | undefined): string {
  if (!receiptNumbers) return t`All of your saved cases, including archived ones.`;
  return plural(receiptNumbers.length, { one: '# selected case.', other: '# selected cases.' });
}
