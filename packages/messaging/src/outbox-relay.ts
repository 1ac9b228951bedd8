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
export function startOutboxRelay(options: OutboxRelayOptions): OutboxRelay {
  return new OutboxRelay(options);
}

class OutboxRelay {
  readonly service: ServiceName;
  readonly #options: OutboxRelayOptions;
  readonly #stopping = new AbortController();
  readonly #signal = createSignal();
  readonly #delay: ReturnType<typeof createPollDelay>;
  readonly #lanes: ReturnType<typeof createRelayLanes>;
  readonly #time: () => number;
  readonly #running: Promise<void>;
  #active = false;
  #mustRenew = true;
  #mustLoad = false;
  #pruneAtMs: number;

  constructor(options: OutboxRelayOptions) {
    const { service, clock } = options;
    this.service = service;
    this.#options = options;
    this.#delay = createPollDelay(clock, { maximumMs: options.maxPollMs });
    this.#lanes = createRelayLanes(options, this.#signal.notify);
    this.#time = steadyTime(clock);
    this.#pruneAtMs = this.#time();
    options.hints?.on(service, this.#onHint);
    this.#running = this.#run();
  }

  /** Whether this process relays the outbox now. */
  isActive(): boolean {
    return this.#active;
  }

  /** Polls the outbox now. */
  poke(): void {
    this.#mustLoad = true;
    this.#signal.notify();
  }

  /** Waits for events in flight; the sink must have been stopped before, or still settle them. */
  async stop(): Promise<void> {
    this.#options.hints?.off(this.service, this.#onHint);
    this.#stopping.abort(new Error('stopped'));
    this.#signal.notify();
    await this.#running;
    await this.#lanes.drained();
  }

  readonly #onHint = () => {
    if (this.#delay.hint()) this.#signal.notify();
  };

  async #run(): Promise<void> {
    const { logger, clock } = this.#options;
    const log = createOutageLog(logger.child({ outbox: this.service }), {
      outage: 'outbox relay: database unavailable, reconnecting',
      recovery: 'outbox relay: database available, relaying',
    });
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      try {
        await this.#relayUntilLost(log.recovered);
      } catch (error) {
        if (signal.aborted) return;
        log.failed(error);
        await clock.sleep(RECONNECT_MS, signal).catch(() => undefined);
      }
    }
  }

  /** Resolves when stopped. @throws when the session can't be opened or is lost. */
  async #relayUntilLost(onOpen: () => void): Promise<void> {
    const session = await openRelaySession(this.service, this.#options.databaseUrl, this.#signal.notify);
    // The server measures the session's silence, so this is real time whatever the clock says.
    const renewing = setInterval(() => {
      this.#mustRenew = true;
      this.#signal.notify();
    }, RENEW_EVERY_MS);
    try {
      onOpen();
      this.#mustRenew = true;
      await this.#relayOn(session);
    } finally {
      clearInterval(renewing);
      this.#active = false;
      await session.close();
    }
  }

  async #relayOn(session: RelaySession): Promise<void> {
    const lanes = this.#lanes;
    while (!this.#stopping.signal.aborted) {
      session.lost.throwIfAborted();
      if (this.#mustRenew) await this.#renew(session);
      await lanes.markSettled(session.sql);
      if (this.#active && (this.#mustLoad || this.#delay.isOver() || lanes.canLoad())) {
        this.#mustLoad = false;
        this.#delay.found(await lanes.load(session.sql));
      } else {
        await this.#pause();
      }
    }
    // The next relay should not dispatch what this one still has in flight.
    await lanes.drained();
    if (!session.lost.aborted) await lanes.markSettled(session.sql);
  }

  async #renew({ renew, sql }: RelaySession): Promise<void> {
    const { clock, retentionMs } = this.#options;
    this.#mustRenew = false;
    const before = this.#active;
    this.#active = await renew();
    if (this.#active && !before) this.#mustLoad = true;
    if (this.#active && this.#time() >= this.#pruneAtMs) {
      const pruned = await pruneOutbox(sql, clock.nowMs() - retentionMs);
      if (pruned > 0) this.#mustRenew = true;
      else this.#pruneAtMs = this.#time() + PRUNE_EVERY_MS;
    }
  }

  /** Waits for the next poll, a hint, a settled event, the next renewal, the loss of the connection or a stop. */
  async #pause(): Promise<void> {
    const slept = new AbortController();
    const nextPoll = this.#active
      ? this.#options.clock.sleep(this.#delay.remainingMs(), slept.signal)
      : new Promise<void>(() => undefined);
    await this.#signal.wait(nextPoll.catch(() => undefined));
    slept.abort(WOKEN);
  }
}
