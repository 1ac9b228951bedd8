import './import-dialog.scss';
import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { type ChangeEvent, useEffect, useRef } from 'react';
import Modal from 'react-bootstrap/Modal';
import { failureText } from '../../../api/api-error.ts';
import { useSavedCases } from '../../../api/saved-cases.ts';
import { Button } from '../../../components/button.tsx';
import { DialogHeader } from '../../../components/dialog-header.tsx';
import { ErrorReference } from '../../../components/error-reference.tsx';
import { LoadFailure } from '../../../components/load-failure.tsx';
import { useToast } from '../../../components/toast/toast-provider.tsx';
import { count } from '../../../lib/format-number.ts';
import { saveFile } from '../../../lib/save-file.ts';
import { countCases, outcomeText } from '../use-case-changes.ts';
import { ColumnChoice } from './column-choice.tsx';
import { ImportLines } from './import-lines.tsx';
import { problemText, summaryCsv, sumOf } from './import-words.ts';
import { type CaseImport, useCaseImport } from './use-case-import.ts';

/** Imports cases from a CSV file or a workbook, after showing what its columns are and what will happen to each line. */
export function ImportDialog({ onHide }: { onHide: () => void }) {
  const { data: savedCases, error, isFetching, refetch } = useSavedCases();
  const work = useCaseImport(savedCases);
  const toast = useToast();
  // It would continue unseen.
  const hide = () => {
    if (work.progress) return;
    onHide();
    if (work.end && work.saved.length > 0 && work.undone.size === 0)
      toast({
        title: t`Cases imported`,
        description: countCases(work.saved.length, 'saved'),
        action: { label: t`Undo`, run: () => void work.undo() },
      });
  };

  return (
    <Modal animation={false} show onHide={hide} centered scrollable size="lg" aria-labelledby="import-title">
      <DialogHeader title={t`Import cases`} titleId="import-title" onClose={hide} />
      <Modal.Body>
        <FileField work={work} isDisabled={!savedCases || work.progress !== undefined} />
        {!savedCases && !isFetching && (
          <LoadFailure error={error} onRetry={() => void refetch()} isPart>
            <p>
              <Trans>Your saved cases could not be loaded</Trans>
            </p>
          </LoadFailure>
        )}
        <div role="status">
          {work.isReading && <p>{t`Reading the file...`}</p>}
          {work.problem && <p className="field-error">{problemText(work.problem)}</p>}
          {work.table && !work.end && <p className="import-sum">{sumOf(work.lines)}</p>}
        </div>
        {work.progress && <ImportProgress {...work.progress} />}
        {work.end && <ImportResult work={work} />}
        {work.table && !work.end && !work.progress && (
          <ColumnChoice table={work.table} kinds={work.kinds} onChange={work.setKinds} />
        )}
        {work.lines.length > 0 && <ImportLines lines={work.lines} known={work.known} />}
      </Modal.Body>
      <Modal.Footer>
        <ImportButtons work={work} onHide={hide} />
      </Modal.Footer>
    </Modal>
  );
}

function FileField({ work, isDisabled }: { work: CaseImport; isDisabled: boolean }) {
  const choose = ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
    const [file] = currentTarget.files ?? [];
    // So that the same file can be chosen again once it is corrected.
    currentTarget.value = '';
    if (file) void work.read(file);
  };
  return (
    <>
      <p id="import-hint">
        <Trans>
          A list with a receipt number in each line, and a nickname, tags and how often to check if you like.
          Only the receipt number is needed.
        </Trans>
      </p>
      <label className="form-label" htmlFor="import-file">
        <Trans>CSV file or Excel workbook</Trans>
      </label>
      <input
        id="import-file"
        type="file"
        className="form-control"
        accept=".csv,.tsv,.txt,.xlsx,text/csv,text/plain,application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
        aria-describedby="import-hint import-name"
        disabled={isDisabled}
        onChange={choose}
      />
      <p id="import-name" className="import-name">
        {work.name !== undefined && t`Chosen: ${work.name}`}
      </p>
    </>
  );
}

/** Screen readers hear that it has begun and how it ended, not each step. */
function ImportProgress({ done, total }: { done: number; total: number }) {
  return (
    <>
      <progress className="import-progress" aria-label={t`Import`} max={total} value={done} />
      <p>{t`${count(done)} of ${count(total)} cases`}</p>
      <p role="status" className="visually-hidden">
        <Trans>The import has started.</Trans>
      </p>
    </>
  );
}

function ImportResult({ work }: { work: CaseImport }) {
  const outcome = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (work.end) outcome.current?.focus();
  }, [work.end]);
  const others = sumOf(work.lines.filter(({ fate }) => fate !== 'new'));
  return (
    <div ref={outcome} tabIndex={-1} className="import-result">
      <p>
        <strong>
          {work.end === 'finished'
            ? t`Import finished:`
            : work.end === 'canceled'
              ? t`Import canceled:`
              : t`Import stopped:`}
        </strong>{' '}
        {outcomeText([...work.known.outcomes.values()], 'saved')}
      </p>
      {work.end === 'failed' && (
        <p className="field-error">
          {failureText(work.failure, t`The import stopped. The cases imported so far are saved. Try again.`)}
        </p>
      )}
      <ErrorReference error={work.failure} />
      {work.waiting > 0 && (
        <p>{plural(work.waiting, { one: '# case not saved yet', other: '# cases not saved yet' })}</p>
      )}
      {others !== '' && <p>{t`Other lines: ${others}`}</p>}
    </div>
  );
}

function ImportButtons({ work, onHide }: { work: CaseImport; onHide: () => void }) {
  const { table, progress, end, waiting } = work;
  const saveSummary = () => {
    if (!table) return;
    const text = summaryCsv(table, work.lines, work.known);
    saveFile(new Blob([text], { type: 'text/csv' }), 'casewatch-import-summary.csv');
  };
  return (
    <>
      {end && table && (
        <Button look="secondary" onClick={saveSummary}>
          <Trans>Save summary (CSV)</Trans>
        </Button>
      )}
      {end && work.saved.length > 0 && work.undone.size === 0 && (
        <Button
          look="secondary"
          aria-disabled={work.isUndoing}
          onClick={() => !work.isUndoing && void work.undo()}
        >
          <Trans>Undo import</Trans>
        </Button>
      )}
      <Button
        look="secondary"
        aria-disabled={work.isCanceling}
        onClick={() => (progress ? work.cancel() : onHide())}
      >
        {work.isCanceling ? t`Canceling...` : end ? t`Done` : t`Cancel`}
      </Button>
      {(!end || waiting > 0) && work.undone.size === 0 && (
        <Button
          look="primary"
          aria-disabled={progress !== undefined || waiting === 0}
          onClick={() => void work.save()}
        >
          {progress
            ? t`Importing...`
            : waiting === 0
              ? t`Import`
              : end
                ? t`Try again`
                : plural(waiting, { one: 'Import # case', other: 'Import # cases' })}
        </Button>
      )}
    </>
  );
}
