import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';

const count = z.int().nonnegative();
const counts = z.record(z.string(), count);

const plan = z.strictObject({
  baseUrl: z.string(),
  demoId: z.string(),
  days: z.int().positive(),
  callsPerDay: z.int().positive(),
});

const day = z.strictObject({
  date: z.iso.date(),
  /** Which of the day's calls comes next; each is made once or left out. */
  next: count,
  /** Calls by the HTTP status of their answer, and those without one. */
  calls: counts,
  /** Calls that were not made, by their reason. */
  leftOut: counts,
  firstMs: z.number().optional(),
  lastMs: z.number().optional(),
});

const record = z.strictObject({ plan, pausedUntilMs: z.number(), days: z.array(day) });

export type RehearsalPlan = z.infer<typeof plan>;
export type RehearsedDay = z.infer<typeof day>;
export type RehearsalRecord = z.infer<typeof record>;

/** The record of a rehearsal in its file. */
export interface RecordFile {
  readonly record: RehearsalRecord;
  /** Replaces the file as a whole. @throws where it was changed since by something else. */
  save(): void;
}

/** Opens the record of this plan, where there is no file a new one for `dates`, not saved yet. @throws for any other file. */
export function openRecord(path: string, wanted: RehearsalPlan, dates: () => string[]): RecordFile {
  let written = existsSync(path) ? readFileSync(path, 'utf8') : undefined;
  const opened = written === undefined ? newRecord(wanted, dates()) : parseRecord(path, written);
  if (!isDeepStrictEqual(opened.plan, wanted)) {
    const plans = `${JSON.stringify(opened.plan)}, not ${JSON.stringify(wanted)}`;
    throw new Error(`${path} is the record of another plan: ${plans}. Name another --record.`);
  }
  return {
    record: opened,
    save() {
      const found = existsSync(path) ? readFileSync(path, 'utf8') : undefined;
      if (found !== written) throw new Error(`${path} has changed: does another rehearsal run on it?`);
      written = `${JSON.stringify(opened, undefined, 2)}\n`;
      // On the disk before the next call, so that a power failure leaves the old or the new one.
      writeFileSync(`${path}.new`, written, { mode: 0o600, flush: true });
      renameSync(`${path}.new`, path);
    },
  };
}

function newRecord(wanted: RehearsalPlan, dates: readonly string[]): RehearsalRecord {
  const days = dates.map((date) => ({ date, next: 0, calls: {}, leftOut: {} }));
  return { plan: wanted, pausedUntilMs: 0, days };
}

function parseRecord(path: string, text: string): RehearsalRecord {
  try {
    return record.parse(JSON.parse(text));
  } catch {
    throw new Error(`${path} is not the record of a rehearsal. Name another --record.`);
  }
}
