import type { FreshToken } from '@casewatch/service-kit/http/access-token';
import type { Clock } from '@casewatch/service-kit/runtime/clock';
import type { Logger } from '@casewatch/service-kit/runtime/logger';
import { steadyTime } from '@casewatch/service-kit/runtime/steady-time';
import type { AgencyFailure } from '../domain/agency-failure.ts';

/** A set of credentials that the agency gave. */
export interface AgencyKey {
  /** As metrics and logs name it. */
  readonly name: 'current' | 'next';
  readonly clientId: string;
  readonly clientSecret: string;
  /** When it ends by its date of issue; undefined where that is not set. */
  readonly endsMs: number | undefined;
}

export type TokenReply = FreshToken | { readonly failure: AgencyFailure };

/** What this process knows of a set of keys. */
export interface KeyState {
  readonly name: AgencyKey['name'];
  readonly endsMs: number | undefined;
  /** The newest token is of these. */
  readonly isInUse: boolean;
  /** The agency refused them when they were used last. */
  readonly isRefused: boolean;
  /** Since they gave a token, or since the start. */
  readonly unusedMs: number;
}

const RETRY_REFUSED_MS = 3_600_000;
/** Keys that are not used can lapse at the agency. */
const USE_EACH_MS = 86_400_000;

/**
 * Requests tokens with the first set of keys that the agency does not refuse. A refused set is tried again after an hour; where all are
 * refused, each request tries the one whose refusal is the oldest. The other sets get a token a day, which keeps them from lapsing.
 */
export function createKeyTokens(
  keys: readonly AgencyKey[],
  { clock, logger, ask }: { clock: Clock; logger: Logger; ask: (key: AgencyKey) => Promise<TokenReply> },
) {
  const time = steadyTime(clock);
  const states = keys.map((key) => ({
    key,
    usedMs: time(),
    askedMs: Number.NEGATIVE_INFINITY,
    refusedMs: Number.NEGATIVE_INFINITY,
    isRefused: false,
  }));
  type State = (typeof states)[number];
  let inUse: State | undefined;
  /** The newest token, until the agency has accepted it. */
  let untried: { token: string; state: State } | undefined;

  function refuse(state: State, agencyMessage?: string): void {
    const fields = { keys: state.key.name, agencyMessage };
    if (!state.isRefused) logger.warn(fields, 'agency: keys refused, will try them again in an hour');
    state.isRefused = true;
    state.refusedMs = time();
    if (inUse === state) inUse = undefined;
  }

  async function requestWith(state: State): Promise<TokenReply> {
    state.askedMs = time();
    const reply = await ask(state.key);
    if (!('failure' in reply)) {
      state.isRefused = false;
      state.usedMs = time();
    } else if (reply.failure.kind === 'credentials') refuse(state, reply.failure.agencyMessage);
    return reply;
  }

  function use(state: State, { token }: FreshToken): void {
    if (inUse !== state) logger.info({ keys: state.key.name }, 'agency: keys in use');
    inUse = state;
    untried = { token, state };
    for (const other of states) {
      if (other !== state && other.askedMs + USE_EACH_MS <= time()) void requestWith(other);
    }
  }

  return {
    async request(): Promise<TokenReply> {
      const usable = states.filter((one) => !one.isRefused || one.refusedMs + RETRY_REFUSED_MS <= time());
      const oldest = states.toSorted((one, other) => one.refusedMs - other.refusedMs).slice(0, 1);
      let reply: TokenReply = { failure: { kind: 'credentials' } };
      for (const state of usable.length > 0 ? usable : oldest) {
        reply = await requestWith(state);
        if (!('failure' in reply)) use(state, reply);
        if (!state.isRefused) break;
      }
      return reply;
    },
    /** A call with this token was answered. Keys whose very first call is refused, such as of an app without this API, are as good as refused. */
    answered(token: string, isRefused: boolean): void {
      if (untried?.token !== token) return;
      if (isRefused) refuse(untried.state);
      untried = undefined;
    },
    /** Returns those of the newest token, or those that would be asked first. @throws Error without any keys */
    inUse(): AgencyKey {
      const state = inUse ?? states.find(({ isRefused }) => !isRefused) ?? states[0];
      if (!state) throw new Error('no keys of the agency');
      return state.key;
    },
    states: (): KeyState[] =>
      states.map((state) => ({
        name: state.key.name,
        endsMs: state.key.endsMs,
        isInUse: state === inUse,
        isRefused: state.isRefused,
        unusedMs: time() - state.usedMs,
      })),
  };
}
