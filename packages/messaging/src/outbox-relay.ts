import type { EventEmitter } from 'node:events';
import type { ServiceName } from '@casewatch/contracts/route-contract';
import { WOKEN } from '@casewatch/service-kit/runtime/clock';
import type { Logger } from '@casewatch/service-kit/runtime/logger';
import { createOutageLog } from '@casewatch/service-kit/runtime/outage-log';
import { createSignal } from '@casewatch/service-kit/runtime/signal';
import { steadyTime } from '@casewatch/service-kit/runtime/steady-time';
import { pruneOutbox } from './outbox-rows.ts';
import { createPollDelay } from './poll-delay.ts';
import { createRelayLanes, type RelayLanesOptions } from './relay-lanes.ts';
import { openRelaySession, RENEW_EVERY_MS, type RelaySession } from './relay-session.ts';

/**
 * Emits the name of a service when it has published an event in this process, in a transaction that has committed or, where the
 * transaction does not report that, is expected to soon. A hint saves time; what comes without one is found by polling.
 */
export type OutboxHints = EventEmitter<Record<ServiceName, []>>;

export interface OutboxRelayOptions extends RelayLanesOptions {
  service: ServiceName;
  /** Leads to PostgreSQL itself, or to a pooler in session mode that passes `options` on: the lock belongs to the session. */
  databaseUrl: string;
  logger: Logger;
  /** Done events are kept this long. */
  retentionMs: number;
  hints?: OutboxHints;
  /** The longest time between two polls. */
  maxPollMs?: number;
}

const RECONNECT_MS = 500;
const PRUNE_EVERY_MS = 3_600_000;

/**
 * Relays a service's events from its outbox, in order per topic and key. Of the relays of all processes one is active, by an
 * advisory lock of its session; the others stand by and try to get the lock every second. The active one polls at once while there is
 * more than it can load, else every 25 ms and ever more rarely, and soon after a hint. ADR 37 says why order holds also when
 * a slow relay dispatches what it loaded before it was replaced.
 */
export function startOutboxRelay(options: OutboxRelayOptions) {
  const { service, clock } = options;
  const log = createOutageLog(options.logger.child({ outbox: service }), {
    outage: 'outbox relay: database unavailable, reconnecting',
    recovery: 'outbox relay: database available, relaying',
  });
  const stopping = new AbortController();
  const signal = createSignal();
  const delay = createPollDelay(clock, { maximumMs: options.maxPollMs });
  const lanes = createRelayLanes(options, signal.notify);
  let active = false;
  let mustRenew = true;
  let mustLoad = false;
  const time = steadyTime(clock);
  let pruneAtMs = time();

  const onHint = () => {
    if (delay.hint()) signal.notify();
  };
  options.hints?.on(service, onHint);
  const running = run();

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        await relayUntilLost();
      } catch (error) {
        if (stopping.signal.aborted) return;
        log.failed(error);
        await clock.sleep(RECONNECT_MS, stopping.signal).catch(() => undefined);
      }
    }
  }

  /** Resolves when stopped. @throws when the session can't be opened or is lost. */
  async function relayUntilLost(): Promise<void> {
    const session = await openRelaySession(service, options.databaseUrl, signal.notify);
    // The server measures the session's silence, so this is real time whatever the clock says.
    const renewing = setInterval(() => {
      mustRenew = true;
      signal.notify();
    }, RENEW_EVERY_MS);
    try {
      log.recovered();
      mustRenew = true;
      await relayOn(session);
    } finally {
      clearInterval(renewing);
      active = false;
      await session.close();
    }
  }

  async function relayOn(session: RelaySession): Promise<void> {
    while (!stopping.signal.aborted) {
      session.lost.throwIfAborted();
      if (mustRenew) await renew(session);
      await lanes.markSettled(session.sql);
      if (active && (mustLoad || delay.isOver() || lanes.canLoad())) {
        mustLoad = false;
        delay.found(await lanes.load(session.sql));
      } else {
        await pause();
      }
    }
    // The next relay should not dispatch what this one still has in flight.
    await lanes.drained();
    if (!session.lost.aborted) await lanes.markSettled(session.sql);
  }

  async function renew({ renew, sql }: RelaySession): Promise<void> {
    mustRenew = false;
    const before = active;
    active = await renew();
    if (active && !before) mustLoad = true;
    if (active && time() >= pruneAtMs) {
      const pruned = await pruneOutbox(sql, clock.nowMs() - options.retentionMs);
      if (pruned > 0) mustRenew = true;
      else pruneAtMs = time() + PRUNE_EVERY_MS;
    }
  }

  /** Waits for the next poll, a hint, a settled event, the next renewal, the loss of the connection or a stop. */
  async function pause(): Promise<void> {
    const slept = new AbortController();
    const nextPoll = active
      ? clock.sleep(delay.remainingMs(), slept.signal)
      : new Promise<void>(() => undefined);
    await signal.wait(nextPoll.catch(() => undefined));
    slept.abort(WOKEN);
  }

  return {
    service,
    /** Whether this process relays the outbox now. */
    isActive: () => active,
    /** Polls the outbox now. */
    poke(): void {
      mustLoad = true;
      signal.notify();
    },
    /** Waits for events in flight; the sink must have been stopped before, or still settle them. */
    async stop(): Promise<void> {
      options.hints?.off(service, onHint);
      stopping.abort(new Error('stopped'));
      signal.notify();
      await running;
      await lanes.drained();
    },
  };
}
