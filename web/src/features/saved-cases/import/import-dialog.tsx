import './import-dialog.scss';
import type { SavedCase } from '@casewatch/contracts/cases';
import type { BulkOutcome } from '@casewatch/contracts/workspace';
import { i18n } from '@lingui/core';
import { msg, plural, t } from '@lingui/core/macro';
import { Plural, Trans } from '@lingui/react/macro';
import { type ChangeEvent, useEffect, useRef, useState } from 'react';
import Modal from 'react-bootstrap/Modal';
import { failureText } from '../../api/api-error.ts';
import { frequencyWord } from '../../api/offline-changes.ts';
import { useSavedCases } from '../../api/saved-cases.ts';
import { useMe } from '../../api/session.ts';
import { useImportCases } from '../../api/workspace.ts';
import { Button } from '../../components/button.tsx';
import { DialogHeader } from '../../components/dialog-header.tsx';
import { ErrorReference } from '../../components/error-reference.tsx';
import { LoadFailure } from '../../components/load-failure.tsx';
import { count } from '../../lib/format-number.ts';
import {
  FILE_MAX_BYTES,
  type ImportLine,
  type ImportPreview,
  importParts,
  previewImport,
  tooLarge,
} from './csv-import.ts';
import { outcomeText } from './use-case-changes.ts';

const SHOWN_MAX = 200;
const FATES = {
  new: msg`Will be saved`,
  saved: msg`Already saved, no change`,
  repeated: msg`Repeats a line above`,
  'over-limit': msg`Over the Free plan limit`,
  invalid: msg`Can’t be imported`,
} as const;

/** Imports cases from a CSV file, after showing what will happen to each line. */
export function ImportDialog({ onHide }: { onHide: () => void }) {
  const { data: savedCases, error, isFetching, refetch } = useSavedCases();
  const { preview, lines, fresh, results, failure, isPending, read, save } = useCaseImport(savedCases);
  const outcome = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (results) outcome.current?.focus();
  }, [results]);
  // It would continue unseen.
  const hide = () => {
    if (!isPending) onHide();
  };

  return (
    <Modal animation={false} show onHide={hide} centered scrollable size="lg" aria-labelledby="import-title">
      <DialogHeader title={t`Import cases`} titleId="import-title" onClose={hide} />
      <Modal.Body>
        <p id="import-hint">
          <Trans>
            A CSV file with the columns receipt number, nickname, tags and frequency. Only the receipt number
            is needed.
          </Trans>
        </p>
        <label className="form-label" htmlFor="import-file">
          <Trans>CSV file</Trans>
        </label>
        <input
          id="import-file"
          type="file"
          className="form-control"
          accept=".csv,.txt,text/csv,text/plain"
          aria-describedby="import-hint"
          disabled={!savedCases || isPending}
          onChange={(event) => void read(event)}
        />
        {!savedCases && !isFetching && (
          <LoadFailure error={error} onRetry={() => void refetch()} isPart>
            <p>
              <Trans>Your saved cases could not be loaded</Trans>
            </p>
          </LoadFailure>
        )}
        <div role="status">
          {preview && 'problem' in preview && <p className="field-error">{preview.problem}</p>}
          {lines.length > 0 && <p className="import-sum">{sumOf(lines)}</p>}
          {failure !== undefined && (
            <p className="field-error">
              {failureText(failure, t`The import stopped. The cases imported so far are saved. Try again.`)}
            </p>
          )}
        </div>
        <ErrorReference error={failure} />
        {lines.length > 0 && <ImportTable lines={lines} />}
        {results && (
          <div ref={outcome} tabIndex={-1} className="import-result">
            <strong>{t`Import finished:`}</strong> {outcomeText(results, 'saved')}
          </div>
        )}
      </Modal.Body>
      <Modal.Footer>
        <Button look="secondary" aria-disabled={isPending} onClick={hide}>
          {results ? t`Done` : t`Cancel`}
        </Button>
        {!results && (
          <Button look="primary" aria-disabled={isPending || fresh === 0} onClick={() => void save()}>
            {isPending
              ? t`Importing...`
              : fresh === 0
                ? t`Import`
                : plural(fresh, { one: 'Import # case', other: 'Import # cases' })}
          </Button>
        )}
      </Modal.Footer>
    </Modal>
  );
}

/** Reads a file, previews what becomes of its lines, and saves the new ones. */
function useCaseImport(savedCases: readonly SavedCase[] | null | undefined) {
  const { user } = useMe();
  const { mutateAsync, isPending } = useImportCases();
  const [preview, setPreview] = useState<ImportPreview>();
  const [results, setResults] = useState<BulkOutcome[]>();
  const [failure, setFailure] = useState<unknown>();
  const lines = preview && 'lines' in preview ? preview.lines : [];
  const fresh = lines.filter(({ fate }) => fate === 'new').length;

  const read = async ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
    const file = currentTarget.files?.[0];
    setResults(undefined);
    setFailure(undefined);
    setPreview(undefined);
    if (!file) return;
    // A file of gigabytes is not even read.
    if (file.size > FILE_MAX_BYTES) return setPreview({ problem: tooLarge(file.size) });
    const bytes = new Uint8Array(await file.arrayBuffer());
    setPreview(
      previewImport(bytes, {
        tier: user?.tier ?? 'free',
        savedNumbers: (savedCases ?? []).map(({ receiptNumber }) => receiptNumber),
      }),
    );
  };
  const save = async () => {
    if (isPending || fresh === 0) return;
    setFailure(undefined);
    try {
      setResults(await mutateAsync(importParts(lines)));
      setPreview(undefined);
    } catch (error) {
      setFailure(error);
    }
  };

  return { preview, lines, fresh, results, failure, isPending, read, save };
}

function ImportTable({ lines }: { lines: readonly ImportLine[] }) {
  // What needs a look comes first.
  const sorted = [...lines].sort((one, other) => Number(one.fate === 'new') - Number(other.fate === 'new'));
  return (
    <div className="import-preview">
      <table>
        <caption className="visually-hidden">
          <Trans>What will happen to each line</Trans>
        </caption>
        <thead>
          <tr>
            <th scope="col">{t`Line`}</th>
            <th scope="col">{t`Receipt number`}</th>
            <th scope="col">{t`What will happen`}</th>
          </tr>
        </thead>
        <tbody>
          {sorted.slice(0, SHOWN_MAX).map((line) => (
            <tr key={line.line} data-fate={line.fate}>
              <td>{line.line}</td>
              <td className="receipt-number">{line.receiptNumber}</td>
              <td>{wordsOf(line)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {lines.length > SHOWN_MAX && (
        <p>
          <Plural value={lines.length - SHOWN_MAX} one="and # more line" other="and # more lines" />
        </p>
      )}
    </div>
  );
}

function wordsOf(line: ImportLine): string {
  if (line.fate === 'invalid') return `${i18n._(FATES.invalid)}: ${line.reason}`;
  if (line.fate !== 'new') return i18n._(FATES[line.fate]);
  const { nickname, tags, monitoringFrequency } = line.case;
  const facts = [
    nickname,
    tags?.join(', '),
    monitoringFrequency === 'none' ? undefined : frequencyWord(monitoringFrequency),
  ];
  const what = facts.filter((one) => one).join(' · ');
  return [what === '' ? i18n._(FATES.new) : `${i18n._(FATES.new)}: ${what}`, line.note]
    .filter(Boolean)
    .join('. ');
}

function sumOf(lines: readonly ImportLine[]): string {
  const number = (fate: ImportLine['fate']) => lines.filter((line) => line.fate === fate).length;
  const parts = [
    [number('new'), plural(number('new'), { one: '# new', other: '# new' })],
    [number('saved'), plural(number('saved'), { one: '# already saved', other: '# already saved' })],
    [number('repeated'), plural(number('repeated'), { one: '# repeated', other: '# repeated' })],
    [number('over-limit'), t`${count(number('over-limit'))} over the Free plan limit`],
    [number('invalid'), plural(number('invalid'), { one: '# invalid', other: '# invalid' })],
  ] as const;
  return parts.flatMap(([cases, words]) => (cases > 0 ? words : [])).join(', ');
}
