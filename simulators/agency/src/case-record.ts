import { createHash } from 'node:crypto';
import { EARLY_ENDS, FORMS, type Form, REJECTIONS } from './data/forms.ts';

/** One case as the simulator knows it; how the agency shows it is in status-document.ts. */
export interface CaseRecord {
  readonly receiptNumber: string;
  readonly form: Form;
  /** As this case's answers write it: `I-130`, or `I130` without the hyphen. */
  readonly formType: string;
  readonly submittedMs: number;
  readonly status: string;
  /** When `status` began. */
  readonly modifiedMs: number;
  /** Earlier statuses, newest first. */
  readonly history: readonly { readonly status: string; readonly atMs: number }[];
}

const DAY_MS = 86_400_000;
const FIRST_SUBMISSION_MS = Date.parse('2023-02-01T14:00:00Z');
const SUBMISSION_SPREAD_DAYS = 700;

/**
 * Returns a believable case that is always the same one for a receipt number.
 * `history` says whether earlier statuses are shown; `'maybe'` leaves it to the number.
 */
export function makeUpCase(receiptNumber: string, history: 'shown' | 'none' | 'maybe' = 'maybe'): CaseRecord {
  const pick = picker(receiptNumber);
  const form = FORMS[pick(FORMS.length)] ?? fail(receiptNumber);
  const earliestStage = history === 'shown' ? 1 : 0;
  const stage = earliestStage + pick(form.journey.length - earliestStage);
  const reached = form.journey.slice(0, stage + 1);
  if (stage > 0 && pick(8) === 0) endEarly(reached, pick);

  const submittedMs = FIRST_SUBMISSION_MS + pick(SUBMISSION_SPREAD_DAYS) * DAY_MS + pick(8 * 3600) * 1000;
  let atMs = submittedMs;
  const steps = reached.map((status, index) => {
    if (index > 0) atMs += (5 + pick(50)) * DAY_MS + pick(3600) * 1000;
    return { status, atMs };
  });
  const current = steps.pop() ?? fail(receiptNumber);
  const hidden = history === 'none' || (history === 'maybe' && pick(4) === 0);
  return {
    receiptNumber,
    form,
    formType: pick(3) === 0 ? form.type.replace('-', '') : form.type,
    submittedMs,
    status: current.status,
    modifiedMs: current.atMs,
    history: hidden ? [] : steps.reverse(),
  };
}

/** Returns the case after it moved. The same status again only changes the date, so that repeating a command adds no history. */
export function moveCase(record: CaseRecord, status: string, atMs: number): CaseRecord {
  if (status === record.status) return { ...record, modifiedMs: atMs };
  const previous = { status: record.status, atMs: record.modifiedMs };
  return { ...record, status, modifiedMs: atMs, history: [previous, ...record.history] };
}

/** Puts a bad end in place of the decision, or of the last step when there is no decision yet. */
function endEarly(reached: string[], pick: (limit: number) => number): void {
  const decided = reached.findIndex((title) => /Approved|Produced/.test(title));
  const at = decided === -1 ? reached.length - 1 : decided;
  const ends = at === 1 ? REJECTIONS : EARLY_ENDS;
  reached.splice(at, reached.length, ends[pick(ends.length)] ?? 'Case Was Denied');
}

/** Numbers from 0 to below `limit`, the same sequence every time for one text. */
function picker(text: string): (limit: number) => number {
  const bytes = createHash('sha256').update(text).digest();
  let position = 0;
  return (limit) => {
    const value = bytes.readUInt32BE((position * 4) % bytes.length) ^ Math.imul(position, 0x9e3779b1);
    position += 1;
    return (value >>> 0) % limit;
  };
}

function fail(receiptNumber: string): never {
  throw new Error(`No case can be made up for ${receiptNumber}: the data files are empty.`);
}
