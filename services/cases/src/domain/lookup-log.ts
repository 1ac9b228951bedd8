import { isUnavailable } from '@casewatch/service-kit/errors/unavailable';
import { type Clock, WOKEN } from '@casewatch/service-kit/runtime/clock';
import type { Logger } from '@casewatch/service-kit/runtime/logger';
import { createOutageLog } from '@casewatch/service-kit/runtime/outage-log';
import type { EndedLookup } from './lookup.ts';

/** The request log as seen by a lookup. */
export interface LookupLog {
  add(row: EndedLookup): void;
  /** Writes what is left. */
  stop(): Promise<void>;
}

/** The request log as seen by an answer. */
export interface WrittenLookupLog extends LookupLog {
  /**
   * Resolves when all rows so far are written: a lookup that is answered after that has its row, even if the process is killed. While the
   * database is unavailable or slow, the rows wait in memory instead of the answers.
   */
  written(): Promise<void>;
}

const RETRY_AFTER_MS = 1_000;
const BATCH = 500;
/** Answers wait no longer for a write in progress. */
const MAX_WAIT_MS = 3_000;
/** About 20 MB: an hour of 10 lookups per second while the database is unavailable. */
const KEPT_MAX = 36_000;

/**
 * Writes rows in batches: those that came during a write go into the next one. While the database is unavailable it keeps the newest
 * rows and retries. Rows of stored answers are sampled evenly: `storedShare` of them are kept, 0 to 1; no other row is left out.
 */
export function createLookupLog(deps: {
  write: (rows: readonly EndedLookup[]) => Promise<void>;
  clock: Clock;
  logger: Logger;
  storedShare: number;
}): WrittenLookupLog {
  const { write, clock, logger, storedShare } = deps;
  const outage = createOutageLog(logger, {
    outage: 'lookup log: rows could not be written, will retry',
    recovery: 'lookup log: rows are written again',
  });
  const stopping = new AbortController();
  let waiting: EndedLookup[] = [];
  /** Of the answers that wait for the next write. */
  const answers: (() => void)[] = [];
  let writing: Promise<void> | undefined;
  let isBehind = false;
  const isKept = createSampling(storedShare);

  async function writeAll(): Promise<void> {
    // Rows that are added in the same turn of the event loop share the first write.
    await undefined;
    while (waiting.length + answers.length > 0) {
      if (await writeNext()) continue;
      if (stopping.signal.aborted) break;
      await clock.sleep(RETRY_AFTER_MS, stopping.signal).catch(() => undefined);
    }
    writing = undefined;
  }

  /** Resolves to false while the database is unavailable. */
  async function writeNext(): Promise<boolean> {
    const batch = waiting.splice(0, BATCH);
    // Behind more rows than go into one write, answers wait for the last of them.
    const answered = waiting.length === 0 ? answers.splice(0) : [];
    const enough = new AbortController();
    clock.sleep(MAX_WAIT_MS, enough.signal).then(
      () => fallBehind(answered),
      () => undefined,
    );
    try {
      if (batch.length > 0) await writeBatch(batch, write, logger);
      outage.recovered();
      isBehind = false;
      release(answered);
      return true;
    } catch (error) {
      outage.failed(error);
      keep([...batch, ...waiting]);
      fallBehind(answered);
      return false;
    } finally {
      enough.abort(WOKEN);
    }
  }

  /** Answers do not wait until a write succeeds again. */
  function fallBehind(answered: readonly (() => void)[]): void {
    isBehind = true;
    release([...answered, ...answers.splice(0)]);
  }

  function keep(rows: EndedLookup[]): void {
    waiting = rows.length > KEPT_MAX ? rows.slice(-KEPT_MAX) : rows;
  }

  return {
    add(row) {
      if (!isKept(row)) return;
      waiting.push(row);
      if (waiting.length > KEPT_MAX) waiting.shift();
      writing ??= writeAll();
    },
    async written() {
      if (isBehind || !writing) return;
      await new Promise<void>((resolve) => {
        answers.push(resolve);
      });
    },
    async stop() {
      stopping.abort(new Error('stopping'));
      await writing;
      if (waiting.length > 0) await writeAll();
    },
  };
}

/** Returns whether a row is kept; it counts the rows of stored answers. */
function createSampling(storedShare: number): (row: EndedLookup) => boolean {
  let sampled = 0;
  return ({ outcome }) => {
    if (outcome !== 'stored') return true;
    sampled += storedShare;
    if (sampled < 1) return false;
    sampled -= 1;
    return true;
  };
}

/** A row that can't be written must not keep the others from being written. */
async function writeBatch(
  batch: readonly EndedLookup[],
  write: (rows: readonly EndedLookup[]) => Promise<void>,
  logger: Logger,
): Promise<void> {
  try {
    await write(batch);
  } catch (error) {
    if (isUnavailable(error)) throw error;
    if (batch.length === 1) logger.error({ err: error }, 'lookup log: row refused, skipping it');
    else for (const row of batch) await writeBatch([row], write, logger);
  }
}

function release(answers: readonly (() => void)[]): void {
  for (const resolve of answers) resolve();
}

/** Makes the results of `work` wait for the rows that it has added. */
export function onceLogged<Args extends readonly unknown[], Result>(
  log: WrittenLookupLog,
  work: (...args: Args) => Promise<Result>,
): (...args: Args) => Promise<Result> {
  return (...args) => work(...args).finally(() => log.written());
}
