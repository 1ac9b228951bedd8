import type { Tier } from '@casewatch/contracts/limits';
import { createOutageLog } from '@casewatch/service-kit/runtime/outage-log';
import type { Signal } from '@casewatch/service-kit/runtime/signal';
import { AgencyCaller } from './agency-caller.ts';
import type { CallerDeps } from './caller-deps.ts';
import { becomeCaller, type CallerSession } from './caller-session.ts';
import { openDayQuota, type QuotaLedger } from './day-quota.ts';
import { DAY_MS, type DayRule } from './day-shares.ts';
import { createPauses } from './pauses.ts';

/** How often a process that stands by tries to become the caller. */
const TRY_EVERY_MS = 100;
const RETRY_MS = 500;
/** After handing over to another process, this one does not try for this time. */
const LEFT_MS = 30_000;
/** How often rows are removed whose process has exited. */
const SWEEP_EVERY_MS = 10_000;

/** This process's part in calling the agency. */
export interface CallerRole {
  /** Cases that wait, where this process is the caller. */
  waiting(): number | undefined;
  /** Hands over, and resolves when the last answer is stored. */
  stop(): Promise<void>;
}

export interface CallerRoleOptions extends CallerDeps {
  /** Leads to PostgreSQL itself: the right to call belongs to a session. */
  directDatabaseUrl: string;
  schema: string;
  /** For people: which process it is. */
  name: string;
  day: DayRule & { weights: Readonly<Record<Tier, number>>; ledger: QuotaLedger };
  /** Notified when lookups of this process have joined the queue. */
  joined: Signal;
}

/**
 * Stands by to be the one caller of the agency, and calls while this process is.
 * @param become opens sessions; tests of what is done in one bring their own
 */
export function startCaller(options: CallerRoleOptions, become = becomeCaller): CallerRole {
  const { logger, clock, day, joined, metrics, queue } = options;
  const outage = createOutageLog(logger, {
    outage: 'agency caller: not able to call, trying again',
    recovery: 'agency caller: able to call again',
  });
  const stopping = new AbortController();
  let waiting: (() => number) | undefined;
  const running = standBy();

  async function standBy(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        const session = await become({
          databaseUrl: options.directDatabaseUrl,
          schema: options.schema,
          name: options.name,
          tryEveryMs: TRY_EVERY_MS,
          clock,
          stop: stopping.signal,
        });
        if (!session) return;
        await callIn(session);
        await realMs(LEFT_MS, stopping.signal);
      } catch (error) {
        outage.failed(error);
        await realMs(RETRY_MS, stopping.signal);
      }
    }
  }

  async function callIn(session: CallerSession): Promise<void> {
    const sweeping = setInterval(() => void queue.sweep().catch(() => undefined), SWEEP_EVERY_MS);
    try {
      const { beginInMs } = session;
      const nowMs = clock.databaseNowMs ?? session.nowMs;
      const store = (state: Parameters<CallerSession['storePause']>[0]) =>
        session
          .storePause(state)
          .catch((error: unknown) => logger.warn({ err: error }, 'a pause was not stored'));
      // Before the wait below, in which a pause that the last caller began continues.
      const pauses = createPauses(
        clock,
        () => DAY_MS - (nowMs() % DAY_MS),
        (state) => void store(state),
        session.pause,
      );
      await realMs(beginInMs, stopping.signal);
      // Not to be marked as left: what a lost caller has sent may still arrive, and the next one has to wait for that.
      if (beginInMs > 0 && stopping.signal.aborted) return;
      const quota = await openDayQuota({ ...day, clock: { nowMs } });
      const caller = new AgencyCaller(options, session, { quota, pauses, wake: joined });
      waiting = () => caller.size();
      metrics.became();
      outage.recovered();
      logger.info({ epoch: session.epoch }, 'agency caller: this process calls the agency');
      // Answers on their way are stored also after the right to call is another's.
      try {
        await caller.call(stopping.signal);
        await caller.allArrived();
        await session.leave();
        await session.close();
      } finally {
        await caller.settled();
      }
    } finally {
      clearInterval(sweeping);
      waiting = undefined;
      await session.close();
    }
  }

  return {
    waiting: () => waiting?.(),
    async stop() {
      stopping.abort(new Error('stopping'));
      joined.notify();
      await running;
    },
  };
}

/** The session is measured by the server, so that this is real time. */
async function realMs(ms: number, signal: AbortSignal): Promise<void> {
  if (ms <= 0 || signal.aborted) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  signal.addEventListener('abort', () => resolve(), { once: true });
  await promise;
  clearTimeout(timer);
}
