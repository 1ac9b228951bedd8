import { isUnavailable } from '@casewatch/service-kit/errors/unavailable';
import type { Clock } from '@casewatch/service-kit/runtime/clock';
import type { Logger } from '@casewatch/service-kit/runtime/logger';
import { createOutageLog } from '@casewatch/service-kit/runtime/outage-log';
import type { EndedLookup } from './lookup.ts';

/** The request log as seen by a lookup. */
export interface LookupLog {
  /** Keeps a row to be written shortly; costs the lookup no wait. */
  add(row: EndedLookup): void;
  /** Writes what is left. */
  stop(): Promise<void>;
}

const WRITE_AFTER_MS = 200;
const RETRY_AFTER_MS = 1_000;
const BATCH = 500;
/** About 20 MB: an hour of 10 lookups per second while the database is unavailable. */
const KEPT_MAX = 36_000;

/**
 * Writes rows in batches, soon after they came and beside the lookups. While the database is unavailable it keeps the newest
 * rows and retries; a process that is killed loses those of the last moment. Rows of stored answers are sampled evenly:
 * `storedShare` of them are kept, 0 to 1; no other row is left out.
 */
export function createLookupLog(deps: {
  write: (rows: readonly EndedLookup[]) => Promise<void>;
  clock: Clock;
  logger: Logger;
  storedShare: number;
}): LookupLog {
  const { write, clock, logger, storedShare } = deps;
  const outage = createOutageLog(logger, {
    outage: 'lookup log: rows could not be written, will retry',
    recovery: 'lookup log: rows are written again',
  });
  const stopping = new AbortController();
  let waiting: EndedLookup[] = [];
  let writing: Promise<void> | undefined;
  let sampled = 0;

  function isKept({ outcome }: EndedLookup): boolean {
    if (outcome !== 'stored') return true;
    sampled += storedShare;
    if (sampled < 1) return false;
    sampled -= 1;
    return true;
  }

  async function writeSoon(): Promise<void> {
    while (waiting.length > 0 && !stopping.signal.aborted) {
      await clock.sleep(WRITE_AFTER_MS, stopping.signal).catch(() => undefined);
      const isWritten = await writeAll();
      if (!isWritten) await clock.sleep(RETRY_AFTER_MS, stopping.signal).catch(() => undefined);
    }
    writing = undefined;
  }

  /** Resolves to false while the database is unavailable. */
  async function writeAll(): Promise<boolean> {
    while (waiting.length > 0) {
      const batch = waiting.splice(0, BATCH);
      try {
        await writeBatch(batch);
        outage.recovered();
      } catch (error) {
        outage.failed(error);
        keep([...batch, ...waiting]);
        return false;
      }
    }
    return true;
  }

  /** A row that can't be written must not keep the others from being written. */
  async function writeBatch(batch: readonly EndedLookup[]): Promise<void> {
    try {
      await write(batch);
    } catch (error) {
      if (isUnavailable(error)) throw error;
      if (batch.length === 1) logger.error({ err: error }, 'lookup log: row refused, skipping it');
      else for (const row of batch) await writeBatch([row]);
    }
  }

  function keep(rows: EndedLookup[]): void {
    waiting = rows.length > KEPT_MAX ? rows.slice(-KEPT_MAX) : rows;
  }

  return {
    add(row) {
      if (!isKept(row)) return;
      waiting.push(row);
      if (waiting.length > KEPT_MAX) waiting.shift();
      writing ??= writeSoon();
    },
    async stop() {
      stopping.abort(new Error('stopping'));
      await writing;
      await writeAll();
    },
  };
}
