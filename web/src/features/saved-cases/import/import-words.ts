import type { BulkOutcome } from '@casewatch/contracts/workspace';
import { plural, t } from '@lingui/core/macro';
import { frequencyWord } from '../../../api/offline-changes.ts';
import { writeCsv } from '../../../lib/csv.ts';
import { count } from '../../../lib/format-number.ts';
import { serverText } from '../../../lib/server-texts.ts';
import type { ImportTable } from './guess-columns.ts';
import type { ImportLine } from './plan-import.ts';
import type { FileProblem } from './read-rows.ts';

export const FILE_MAX_BYTES = 1_000_000;
export const LINES_MAX = 5_000;

export type ImportProblem = FileProblem | 'no-cases' | { bytes: number } | { lines: number };

/** What came of the lines so far. */
export interface LineOutcomes {
  /** By receipt number. */
  outcomes: ReadonlyMap<string, BulkOutcome>;
  undone: ReadonlySet<string>;
  /** Whether something was sent: what has no outcome then was not saved. */
  hasBegun: boolean;
}

/** Returns why a file can't be imported, and what to do. */
export function problemText(problem: ImportProblem): string {
  if (typeof problem === 'object') return sizeText(problem);
  switch (problem) {
    case 'empty':
      return t`This file is empty.`;
    case 'no-cases':
      return t`This file has no cases.`;
    case 'pdf':
      return t`This is a PDF file. Save the list as an Excel workbook (.xlsx) or as CSV and try again.`;
    case 'image':
      return t`This is a picture. Save the list as an Excel workbook (.xlsx) or as CSV and try again.`;
    case 'locked':
      return t`This workbook is protected with a password. Save a copy without the password and try again.`;
    case 'old-excel':
      return t`This is a file of an old version of Excel. Save it as an Excel workbook (.xlsx) and try again.`;
    case 'web-page':
      return t`This is a web page, even if it is named like a table. Open it in Excel, save it as an Excel workbook (.xlsx) and try again.`;
    case 'damaged':
      return t`This file could not be read: it is damaged, or it was moved or changed. Choose it again, or save it anew.`;
    case 'unpacked-too-large':
      return t`This workbook is too large to be read. Copy the list to a new one and try again.`;
    case 'other':
      return t`This file is neither CSV nor an Excel workbook (.xlsx). Save the list as one of these and try again.`;
  }
}

function sizeText(problem: { bytes: number } | { lines: number }): string {
  if ('lines' in problem)
    return t`This file has ${count(problem.lines)} lines. The limit is ${count(LINES_MAX)} lines.`;
  // Rounded up: a little more than the limit is not shown as the limit.
  return t`This file is ${(Math.ceil(problem.bytes / 100_000) / 10).toFixed(1)} MB. The limit is ${FILE_MAX_BYTES / 1_000_000} MB.`;
}

/** Returns what will happen to a line, or what happened. */
export function wordsOf(line: ImportLine, known: LineOutcomes): string {
  const outcome = known.outcomes.get(line.receiptNumber);
  switch (line.fate) {
    case 'invalid':
      return t`Can’t be imported: ${line.reason}`;
    case 'saved':
      return t`Already saved, no change`;
    case 'repeated':
      return t`Repeats a line above`;
    case 'over-limit':
      return t`Over the Free plan limit`;
  }
  if (known.undone.has(line.receiptNumber)) return t`Undone`;
  if (outcome?.outcome === 'unchanged') return t`Already saved, no change`;
  if (outcome?.outcome === 'refused') return t`Can’t be imported: ${serverText(outcome) ?? ''}`;
  if (!outcome && known.hasBegun) return t`Not saved yet. Try again.`;
  const { nickname, tags, monitoringFrequency } = line.case;
  const frequency = monitoringFrequency === 'none' ? undefined : frequencyWord(monitoringFrequency);
  const what = [nickname, tags?.join(', '), frequency].filter(Boolean).join(' · ');
  const fate = outcome ? t`Saved` : t`Will be saved`;
  return [what === '' ? fate : `${fate}: ${what}`, line.note].filter(Boolean).join('. ');
}

/** Returns whether a line needs a look. */
export function isTrouble(line: ImportLine, { outcomes, hasBegun }: LineOutcomes): boolean {
  if (line.fate !== 'new') return line.fate === 'invalid' || line.fate === 'over-limit';
  const outcome = outcomes.get(line.receiptNumber)?.outcome;
  return outcome === 'refused' || (hasBegun && outcome === undefined);
}

/** Returns how many lines are of each fate. */
export function sumOf(lines: readonly ImportLine[]): string {
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

/** Returns every line of the file with what came of it, as CSV. */
export function summaryCsv(table: ImportTable, lines: readonly ImportLine[], known: LineOutcomes): string {
  return writeCsv([
    [t`Line`, t`Receipt number`, t`What happened`],
    ...table.above.map(({ line, cells }) => [
      String(line),
      cells.filter(Boolean).join(' ').slice(0, 40),
      t`Title or heading`,
    ]),
    ...lines.map((line) => [String(line.line), line.receiptNumber, wordsOf(line, known)]),
  ]);
}
