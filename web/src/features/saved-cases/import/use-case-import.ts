import type { SavedCase } from '@casewatch/contracts/cases';
import type { BulkOutcome } from '@casewatch/contracts/workspace';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useImportCases } from '../../../api/import-cases.ts';
import { useMe } from '../../../api/session.ts';
import { inParts } from '../undo-change.ts';
import { useCaseChanges } from '../use-case-changes.ts';
import { type ColumnKind, guessColumns, type ImportTable } from './guess-columns.ts';
import { FILE_MAX_BYTES, type ImportProblem, LINES_MAX, type LineOutcomes } from './import-words.ts';
import { type Importer, importParts, planImport } from './plan-import.ts';
import { readFile } from './read-file.ts';

/** How an import ended: all was sent, it was canceled, or a request failed. */
export type ImportEnd = 'finished' | 'canceled' | 'failed';

type Chosen = { name: string } & ({ table: ImportTable; importer: Importer } | { problem: ImportProblem });

/** Reads a file, says what becomes of its lines, saves the new ones, and takes that back. What was not confirmed is sent again by `save`. */
export function useCaseImport(savedCases: readonly SavedCase[] | null | undefined) {
  const { user } = useMe();
  const { mutateAsync, isPending } = useImportCases();
  const [chosen, setChosen] = useState<Chosen>();
  const [isReading, setIsReading] = useState(false);
  const [kinds, setKinds] = useState<readonly ColumnKind[]>([]);
  const [outcomes, setOutcomes] = useState<ReadonlyMap<string, BulkOutcome>>(new Map());
  const [undone, setUndone] = useState<ReadonlySet<string>>(new Set());
  const [end, setEnd] = useState<ImportEnd>();
  const [isCanceling, setIsCanceling] = useState(false);
  const [failure, setFailure] = useState<unknown>();
  const newest = useRef<File>(undefined);
  const canceling = useRef<AbortController>(undefined);
  useEffect(() => () => canceling.current?.abort(), []);
  const changes = useCaseChanges((_changes, results) => setUndone(new Set(numbersOf(results))));

  const table = chosen && 'table' in chosen ? chosen.table : undefined;
  const lines = useMemo(
    () => (chosen && 'table' in chosen ? planImport(chosen.table.body, kinds, chosen.importer) : []),
    [chosen, kinds],
  );
  const fresh = lines.flatMap((line) => (line.fate === 'new' ? line.case : []));
  const waiting = fresh.filter(({ receiptNumber }) => !outcomes.has(receiptNumber));
  const saved = numbersOf([...outcomes.values()]);

  const read = async (file: File) => {
    newest.current = file;
    setIsReading(true);
    const result = await readTable(file);
    // Another one was chosen since.
    if (newest.current !== file) return;
    setIsReading(false);
    setOutcomes(new Map());
    setUndone(new Set());
    setEnd(undefined);
    setFailure(undefined);
    const savedNumbers = (savedCases ?? []).map(({ receiptNumber }) => receiptNumber);
    const importer = { tier: user?.tier ?? 'free', savedNumbers };
    setChosen({ name: file.name, ...('table' in result ? { ...result, importer } : result) });
    setKinds('table' in result ? result.table.kinds : []);
  };
  const save = async () => {
    if (isPending || waiting.length === 0) return;
    const controller = new AbortController();
    canceling.current = controller;
    const request = {
      parts: importParts(waiting),
      onOutcomes: (results: readonly BulkOutcome[]) =>
        setOutcomes(
          (known) => new Map([...known, ...results.map((one) => [one.receiptNumber, one] as const)]),
        ),
      signal: controller.signal,
      after: saved.at(-1),
      isRetry: end === 'failed',
    };
    setIsCanceling(false);
    setFailure(undefined);
    setEnd(undefined);
    try {
      await mutateAsync(request);
      setEnd(controller.signal.aborted ? 'canceled' : 'finished');
    } catch (error) {
      setFailure(error);
      setEnd('failed');
    }
  };

  return {
    name: chosen?.name,
    problem: chosen && 'problem' in chosen ? chosen.problem : undefined,
    table,
    kinds,
    setKinds,
    lines,
    known: { outcomes, undone, hasBegun: end !== undefined } satisfies LineOutcomes,
    undone,
    waiting: waiting.length,
    progress: isPending ? { done: fresh.length - waiting.length, total: fresh.length } : undefined,
    saved,
    end,
    failure,
    isReading,
    isUndoing: changes.isPending,
    read,
    save,
    isCanceling: isCanceling && isPending,
    /** Ends the import after the request that is on its way: what that one saved is known. */
    cancel() {
      canceling.current?.abort();
      setIsCanceling(true);
    },
    undo: () => changes.undo(inParts({ action: 'remove', receiptNumbers: saved })),
  };
}

export type CaseImport = ReturnType<typeof useCaseImport>;

async function readTable(file: File): Promise<{ table: ImportTable } | { problem: ImportProblem }> {
  // A file of gigabytes is not even read.
  if (file.size > FILE_MAX_BYTES) return { problem: { bytes: file.size } };
  const result = await readFile(file);
  if ('problem' in result) return { problem: result.problem };
  if (result.rows.length > LINES_MAX) return { problem: { lines: result.rows.length } };
  const { rows, ...others } = result;
  const table = { ...guessColumns(rows), ...others };
  return table.body.length > 0 ? { table } : { problem: 'no-cases' };
}

function numbersOf(results: readonly BulkOutcome[]): string[] {
  return results.flatMap(({ outcome, receiptNumber }) => (outcome === 'changed' ? receiptNumber : []));
}
