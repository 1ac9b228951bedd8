import { listen } from '@casewatch/service-kit/http/http-server';
import { type Clock, systemClock } from '@casewatch/service-kit/runtime/clock';
import { type ControlFrom, controlFrom } from '@casewatch/simulator-kit/control-api';
import { type AgencyClient, createAgencyState } from './agency-state.ts';
import type { Population } from './case-store.ts';
import { createRequestHandler } from './request-handler.ts';

export interface AgencySimulatorOptions {
  /** 0 (the default) takes a free one. */
  port?: number;
  /** The default is loopback. */
  host?: string;
  /** From where `/__control` may be used; `true` is this machine. The default is nowhere. */
  control?: boolean | ControlFrom;
  clientId: string;
  clientSecret: string;
  /** 5 unless given. */
  callsPerSecond?: number;
  /** A million unless given: demonstrations should not run dry. */
  callsPerDay?: number;
  /** `sandbox`: Monday to Friday, 7:00 to 20:00 Eastern time; the default is `always`. */
  openingHours?: 'always' | 'sandbox';
  /** `made-up`, unless given: every well-formed receipt number that ends in an even digit has a case. */
  population?: Population;
  clock?: Clock;
}

export interface AgencySimulator {
  readonly url: string;
  readonly port: number;
  /** Gives tokens to these from now on, and to no other. Tokens that were given stay good. */
  acceptClients(...clients: AgencyClient[]): void;
  /** Cuts requests that are held open and resolves when the port is free. */
  stop(): Promise<void>;
}

export const DEFAULT_CALLS_PER_SECOND = 5;
export const DEFAULT_CALLS_PER_DAY = 1_000_000;

/**
 * Starts an HTTP server that behaves as the agency's case status API does, its oddities included. Its state is in memory
 * and ends with the process.
 * @throws the listen error (EADDRINUSE, EACCES)
 */
export async function startAgencySimulator(options: AgencySimulatorOptions): Promise<AgencySimulator> {
  const state = createAgencyState({
    client: { clientId: options.clientId, clientSecret: options.clientSecret },
    clock: options.clock ?? systemClock,
    population: options.population ?? 'made-up',
    limits: {
      callsPerSecond: options.callsPerSecond ?? DEFAULT_CALLS_PER_SECOND,
      callsPerDay: options.callsPerDay ?? DEFAULT_CALLS_PER_DAY,
      openingHours: options.openingHours ?? 'always',
    },
  });
  const stopping = new AbortController();
  const handler = createRequestHandler(state, {
    control: controlFrom(options.control ?? false),
    stopping: stopping.signal,
  });
  const server = await listen(handler, { host: options.host ?? '127.0.0.1', port: options.port ?? 0 });
  return {
    url: server.url,
    port: server.port,
    acceptClients: (...clients) => {
      state.clients = clients;
    },
    stop: () => {
      stopping.abort();
      return server.drain();
    },
  };
}
