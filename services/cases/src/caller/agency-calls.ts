import type { AgencyExchange } from '@casewatch/contracts/agency-demonstration';
import { createTokenSource } from '@casewatch/service-kit/http/access-token';
import type { Clock } from '@casewatch/service-kit/runtime/clock';
import type { Logger } from '@casewatch/service-kit/runtime/logger';
import type { Telemetry } from '@casewatch/service-kit/telemetry/telemetry';
import {
  type AgencyHttpRequest,
  type AgencyHttpResult,
  type AnswerHeaders,
  createAgencyHttp,
} from '../agency/agency-http.ts';
import { createAgencyMetrics } from '../agency/agency-metrics.ts';
import { maskCase, maskSecrets, toCallRecord } from '../agency/call-record.ts';
import { TOKEN_ROUTE, toExchange } from '../agency/demonstrated-exchange.ts';
import { readStatusReply, readTokenReply } from '../agency/read-reply.ts';
import type { AgencyCallRecord, AgencyResult, CallSource } from '../domain/agency.ts';
import type { AgencyFailure } from '../domain/agency-failure.ts';
import { type AgencyKey, createKeyTokens, type TokenReply } from './key-tokens.ts';

export interface AgencyAccess {
  readonly baseUrl: string;
  /** The newer first. */
  readonly keys: readonly AgencyKey[];
  /** Assigned by the agency for a demonstration, for every call; empty: none. */
  readonly demoId: string;
  /** Further ones of every call; their values are secret. */
  readonly headers: Readonly<Record<string, string>>;
  /** For one lookup, a second try included; waiting for a turn does not count. */
  readonly timeoutMs: number;
  /** Links in the agency's texts are kept to these hosts and those below them. */
  readonly linkHosts: readonly string[];
  readonly clock: Clock;
  readonly telemetry: Telemetry;
  readonly logger: Logger;
}

/** One call of the status endpoint. */
export interface StatusCall {
  readonly receiptNumber: string;
  readonly source: CallSource;
  readonly timeoutMs: number;
  /** Asked where the bytes leave. */
  maySend(): boolean;
  /** Called when the head of the answer is here. */
  onHead(): void;
}

export interface CallResult {
  readonly result: AgencyResult;
  readonly record: AgencyCallRecord;
  /** A token was refused; the next call has a new one. */
  readonly isTokenRefused: boolean;
}

type TimedNumber = Pick<StatusCall, 'receiptNumber' | 'timeoutMs'>;

export type DemonstratedToken = { readonly exchange: AgencyExchange } & (
  | { readonly token: string }
  | { readonly failure: AgencyFailure }
);

export type DemonstratedStatus = Pick<CallResult, 'result' | 'record'> & {
  readonly exchange: AgencyExchange;
};

/** Shorter ones are no secrets, and occur in any text. */
const MIN_MASKED_LENGTH = 8;

export type AgencyCalls = ReturnType<typeof createAgencyCalls>;

/** Creates the only client of the agency. It knows no budget: its caller holds a permit. */
export function createAgencyCalls(options: AgencyAccess) {
  const { clock, telemetry, logger, keys, timeoutMs } = options;
  const http = createAgencyHttp(options.baseUrl, timeoutMs, telemetry);
  const everyCall = { ...options.headers, ...(options.demoId === '' ? {} : { demo_id: options.demoId }) };
  const sent = [...keys.map(({ clientId }) => clientId), ...Object.values(options.headers)];
  const masked = [
    ...keys.map(({ clientSecret }) => clientSecret),
    ...sent.filter((value) => value.length >= MIN_MASKED_LENGTH),
  ];
  /** Values of headers may be words that a case has, too. */
  const keyTexts = keys.flatMap(({ clientId, clientSecret }) => [clientId, clientSecret]);
  const metrics = createAgencyMetrics(telemetry.meter);
  const keyTokens = createKeyTokens(keys, { clock, logger, ask });
  const tokens = createTokenSource(clock, async () => {
    const reply = await keyTokens.request();
    if ('failure' in reply) throw new NoToken(reply.failure);
    return reply;
  });

  function tokenRequest({ clientId, clientSecret }: AgencyKey): AgencyHttpRequest {
    const form = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret };
    return {
      method: 'POST',
      path: TOKEN_ROUTE,
      route: TOKEN_ROUTE,
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...everyCall },
      body: new URLSearchParams(form).toString(),
      timeoutMs,
    };
  }

  function statusRequest({ receiptNumber, timeoutMs }: TimedNumber, token: string): AgencyHttpRequest {
    return {
      method: 'GET',
      path: `/case-status/${receiptNumber}`,
      route: '/case-status/{receiptNumber}',
      headers: { authorization: `Bearer ${token}`, ...everyCall },
      timeoutMs,
    };
  }

  async function ask(key: AgencyKey): Promise<TokenReply> {
    const token = readTokenReply(await http.send(tokenRequest(key)));
    return 'failure' in token ? { failure: maskWords(token.failure, masked) } : token;
  }

  async function demonstrate(
    request: AgencyHttpRequest,
    secretsOf: (reply: AgencyHttpResult) => readonly string[],
  ) {
    let headers: AnswerHeaders = {};
    const sentMs = clock.nowMs();
    const onHead = (head: AnswerHeaders) => {
      headers = head;
      request.onHead?.(head);
    };
    const reply = await http.send({ ...request, onHead });
    const exchanged = { baseUrl: options.baseUrl, request, reply, headers, sentMs, endedMs: clock.nowMs() };
    return { reply, exchange: toExchange(exchanged, secretsOf(reply)) };
  }

  /** People read the agency's words, which may repeat what it was sent. */
  function readStatus(reply: AgencyHttpResult, receiptNumber: string, token: string): AgencyResult {
    const result = readStatusReply(reply, receiptNumber, options.linkHosts);
    if (result.kind === 'case') {
      const ours = [token, ...keyTexts].filter((value) => value.length >= MIN_MASKED_LENGTH);
      return { ...result, case: maskCase(result.case, ours) };
    }
    const secrets = [token, ...masked];
    if (result.kind === 'failure') return { ...result, failure: maskWords(result.failure, secrets) };
    return maskWords(result, secrets);
  }

  function readsToken(reply: AgencyHttpResult): readonly string[] {
    const token = readTokenReply(reply);
    return 'failure' in token ? masked : [token.token, ...masked];
  }

  return {
    /** A token, or why there is none. Takes no permit: the agency counts calls of the status endpoint. */
    async token(): Promise<{ token: string } | { failure: AgencyFailure }> {
      try {
        return { token: await tokens.get() };
      } catch (error) {
        if (error instanceof NoToken) return { failure: error.failure };
        throw error;
      }
    },
    /** @throws only CallUnsent, where the call might not be sent any more */
    async call({ receiptNumber, source, ...call }: StatusCall, token: string): Promise<CallResult> {
      const sentMs = clock.nowMs();
      const reply = await http.send({ ...statusRequest({ receiptNumber, ...call }, token), ...call });
      const secrets = [token, ...masked];
      const result = readStatus(reply, receiptNumber, token);
      metrics.called(source, result);
      const isTokenRefused = reply.kind === 'answer' && reply.status === 401;
      if (isTokenRefused) tokens.refused(token);
      if (reply.kind === 'answer') keyTokens.answered(token, isTokenRefused);
      const durationMs = Math.max(0, Math.round(clock.nowMs() - sentMs));
      const record = toCallRecord(reply, result, secrets, durationMs);
      return { result, record, isTokenRefused };
    },
    /** Requests a token of its own, whose refusal ends no other; the exchange holds no secret. */
    async demonstrateToken(): Promise<DemonstratedToken> {
      // Which of several sets the agency takes is known once one gave a token.
      if (keys.length > 1) await tokens.get().catch(() => undefined);
      const { exchange, reply } = await demonstrate(tokenRequest(keyTokens.inUse()), readsToken);
      const token = readTokenReply(reply);
      if ('failure' in token) return { exchange, failure: maskWords(token.failure, masked) };
      return { exchange, token: token.token };
    },
    /**
     * Makes one call, and counts it in no metric: an error may be provoked.
     * @throws only CallUnsent, where the call might not be sent any more
     */
    async demonstrateStatus(call: Omit<StatusCall, 'source'>, token: string): Promise<DemonstratedStatus> {
      const secrets = [token, ...masked];
      const { exchange, reply } = await demonstrate(
        { ...call, ...statusRequest(call, token) },
        () => secrets,
      );
      const result = readStatus(reply, call.receiptNumber, token);
      const record = toCallRecord(reply, result, secrets, exchange.durationMs);
      return { exchange, result, record };
    },
    keyStates: keyTokens.states,
    stop: () => http.stop(),
  };
}

function maskWords<T extends { readonly agencyMessage?: string | undefined }>(
  said: T,
  secrets: readonly string[],
): T {
  return said.agencyMessage ? { ...said, agencyMessage: maskSecrets(said.agencyMessage, secrets) } : said;
}

/** Raised to everyone who waits for the same token; never leaves this file. */
class NoToken extends Error {
  readonly failure: AgencyFailure;
  constructor(failure: AgencyFailure) {
    super(failure.kind);
    this.failure = failure;
  }
}
