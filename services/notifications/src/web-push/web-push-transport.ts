import { Agent, request } from 'node:https';
import { TLSSocket } from 'node:tls';
import type { Clock } from '@casewatch/service-kit/runtime/clock';
import { steadyTime } from '@casewatch/service-kit/runtime/steady-time';
import type { PushOutcome, PushTransport } from '../domain/send-push.ts';
import { PUSH_POST_MAX_MS } from '../domain/send-times.ts';
import { lookUpPublic } from './push-hosts.ts';
import type { PushKeys } from './push-settings.ts';

/** After a failed connection a push service gets no other message for this long, so that it holds up none to the others. */
const HOLD_MS = 15_000;
const MAX_RETRY_AFTER_MS = 24 * 3_600_000;

interface Parts {
  keys: PushKeys;
  /** Checked again for each message: what was allowed when it was saved may not be now. */
  isAllowed: (endpoint: string) => boolean;
  clock: Clock;
  /** Connections to one push service. */
  connections: number;
}

/**
 * Sends over HTTPS (RFC 8030), encrypted for the device (RFC 8291) and signed with the product's key (RFC 8292), both by
 * web-push, which is loaded on demand. Follows no redirect, and connects to no private address except one that the list of hosts names.
 */
export async function openWebPushTransport({
  keys,
  isAllowed,
  clock,
  connections,
}: Parts): Promise<PushTransport> {
  const { default: webPush } = await import('web-push');
  const agent = new Agent({
    keepAlive: true,
    maxSockets: connections,
    // Behind HTTPS_PROXY it is the proxy that looks names up.
    lookup: lookUpPublic,
    proxyEnv: process.env,
  });
  const time = steadyTime(clock);
  const held = new Map<string, number>();

  return {
    async send({ target, payload, ttlSeconds, urgency, topic }, signal) {
      if (!isAllowed(target.endpoint)) return { kind: 'refused', reason: 'host-not-allowed' };
      const { host } = new URL(target.endpoint);
      const heldMs = (held.get(host) ?? 0) - time();
      if (heldMs > 0) return { kind: 'deferred', reason: 'host-unavailable', retryAfterMs: heldMs };
      let details: ReturnType<typeof webPush.generateRequestDetails>;
      try {
        const subscription = {
          endpoint: target.endpoint,
          keys: { p256dh: target.p256dh, auth: target.auth },
        };
        const vapidDetails = {
          subject: keys.subject,
          publicKey: keys.publicKey,
          privateKey: keys.privateKey,
        };
        details = webPush.generateRequestDetails(subscription, payload, {
          vapidDetails,
          TTL: ttlSeconds,
          urgency,
          topic,
          contentEncoding: 'aes128gcm',
        });
      } catch {
        // A key of the browser that is not a point of the curve.
        return { kind: 'refused', reason: 'bad-key' };
      }
      const untilMs = clock.nowMs() + PUSH_POST_MAX_MS;
      try {
        const limit = AbortSignal.any([signal, AbortSignal.timeout(PUSH_POST_MAX_MS)]);
        const answer = await post(target.endpoint, {
          headers: details.headers,
          body: details.body,
          agent,
          signal: limit,
          isLate: () => clock.nowMs() > untilMs,
        });
        held.delete(host);
        return outcomeOf(answer, clock.nowMs());
      } catch (error) {
        if (error instanceof StoodStill) return { kind: 'unavailable', reason: 'stood-still' };
        if (signal.aborted) return { kind: 'unavailable', reason: 'stopping' };
        held.set(host, time() + HOLD_MS);
        return { kind: 'deferred', reason: codeOf(error) };
      }
    },
    close: async () => agent.destroy(),
  };
}

interface Answer {
  status: number;
  retryAfter: string | undefined;
}

interface Post {
  headers: Record<string, string>;
  body: Buffer | null;
  agent: Agent;
  signal: AbortSignal;
  /** Asked when the connection is there. */
  isLate: () => boolean;
}

/** The process stood still while it was connecting: another may post the same by now. */
class StoodStill extends Error {}

/** Resolves to the head of the answer; a body is dropped. Posts again when a kept connection turns out to be closed. */
function post(endpoint: string, how: Post): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const { headers, body, agent, signal, isLate } = how;
  const sending = request(endpoint, { method: 'POST', headers, agent, signal }, (answer) => {
    const { statusCode = 0 } = answer;
    resolve({ status: statusCode, retryAfter: answer.headers['retry-after'] });
    // The time limit ends a body that does not.
    answer.on('error', () => undefined).resume();
  });
  sending.on('error', (error) => {
    if (sending.reusedSocket && codeOf(error) === 'ECONNRESET') resolve(post(endpoint, how));
    else reject(error);
  });
  const send = () => {
    if (isLate()) sending.destroy(new StoodStill());
    else sending.end(body);
  };
  sending.on('socket', (socket) => {
    if (socket instanceof TLSSocket && !socket.authorized) socket.once('secureConnect', send);
    else send();
  });
  return promise;
}

/** Returns what an answer of a push service means (RFC 8030, sections 5 and 7.3; Apple and Google document 403 for a key they do not know). */
export function outcomeOf({ status, retryAfter }: Answer, nowMs: number): PushOutcome {
  if (status >= 200 && status < 300) return { kind: 'sent' };
  if (status === 404 || status === 410) return { kind: 'refused', reason: `gone-${status}`, means: 'gone' };
  const reason = `http-${status}`;
  // Tried again: messages are not lost while the operator looks at the key.
  if (status === 401 || status === 403) return { kind: 'deferred', reason, means: 'unauthorized' };
  const isTransient = status === 408 || status === 425 || status === 429 || status >= 500;
  if (!isTransient) return { kind: 'refused', reason };
  return { kind: 'deferred', reason, retryAfterMs: retryAfterMs(retryAfter, nowMs) };
}

/** Seconds or a date (RFC 9110, section 10.2.3), at most a day; 0 without one. */
function retryAfterMs(header: string | undefined, nowMs: number): number {
  const text = header?.trim() ?? '';
  const ms = /^\d+$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - nowMs;
  return Number.isNaN(ms) ? 0 : Math.min(Math.max(0, ms), MAX_RETRY_AFTER_MS);
}

/** Returns a word for the error, which may name the endpoint. */
export function codeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (typeof code === 'string' && /^[A-Z][A-Z0-9_]{1,40}$/.test(code))
    return code === 'ABORT_ERR' ? 'timeout' : code;
  return error instanceof Error && /^(?:Abort|Timeout)Error$/.test(error.name) ? 'timeout' : 'EUNKNOWN';
}
