import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Clock } from '@casewatch/service-kit/runtime/clock';
import type { Logger } from '@casewatch/service-kit/runtime/logger';
import {
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
  startEmbeddedPostgres,
} from './embedded-postgres.ts';
import { EmbeddedPostgresError } from './postgres-account.ts';

export interface SupervisedPostgresOptions
  extends Omit<EmbeddedPostgresOptions, 'onUnexpectedExit' | 'port'> {
  clock: Clock;
  logger: Logger;
  /** Starts the cluster once. */
  startOnce?: typeof startEmbeddedPostgres;
  /** Called when it could not be kept running: it ended, and so did every try to start it again. */
  onAbandoned(error: EmbeddedPostgresError): void;
}

/** Waits before the tries of one outage, which together take about 8 s and the time of the starts. */
const WAITS_MS = [0, 250, 500, 1_000, 2_000, 4_000];
/** A server that has run for this time begins a new outage when it ends; until then its tries add up. */
const STABLE_MS = 60_000;

/**
 * Starts the cluster and restarts it with backoff, on the same port and data, whenever it ends without having been
 * stopped. Committed transactions survive; until then clients see broken and refused connections, and reconnect.
 * @throws EmbeddedPostgresError when the first start fails
 */
export async function startSupervisedPostgres(options: SupervisedPostgresOptions): Promise<EmbeddedPostgres> {
  const { clock, logger, startOnce = startEmbeddedPostgres } = options;
  const stopping = new AbortController();
  let restarting: Promise<void> | undefined;
  let tries = 0;
  let startedMs = 0;
  let server = await start(undefined);
  const { ownerUrl, port } = server;

  async function start(onPort: number | undefined): Promise<EmbeddedPostgres> {
    const started = await startOnce({
      ...options,
      ...(onPort === undefined ? {} : { port: onPort }),
      onUnexpectedExit: (output) => {
        restarting = restart(output);
      },
    });
    startedMs = clock.nowMs();
    return started;
  }

  async function restart(output: string): Promise<void> {
    if (clock.nowMs() - startedMs > STABLE_MS) tries = 0;
    logger.error({ output }, 'embedded database: ended unexpectedly, restarting');
    let lastWords = output;
    while (tries < WAITS_MS.length) {
      await clock.sleep(WAITS_MS[tries] ?? 0, stopping.signal).catch(() => undefined);
      tries += 1;
      if (stopping.signal.aborted) return;
      try {
        requireCluster(options.dataDir);
        server = await start(port);
        logger.warn({ tries }, 'embedded database: restarted');
        return;
      } catch (error) {
        lastWords = error instanceof Error ? error.message : String(error);
        logger.error({ err: error, tries }, 'embedded database: restart failed, will retry');
      }
    }
    options.onAbandoned(
      new EmbeddedPostgresError(
        `The database ended and could not be restarted in ${tries} tries: ${lastWords}`,
      ),
    );
  }

  return {
    ownerUrl,
    port,
    stop: async () => {
      stopping.abort();
      await restarting;
      await server.stop();
    },
  };
}

/** A restart must never make a new, empty cluster in place of one whose files were deleted. */
function requireCluster(dataDir: string): void {
  if (existsSync(path.join(dataDir, 'PG_VERSION'))) return;
  throw new EmbeddedPostgresError(`The database files are missing from ${dataDir}`);
}
