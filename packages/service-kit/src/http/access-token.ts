import { z } from 'zod';
import type { Clock } from '../runtime/clock.ts';
import { steadyTime } from '../runtime/steady-time.ts';

/** A token of the client-credentials grant, and how long its server says that it lives. */
export interface FreshToken {
  token: string;
  livesMs: number;
}

/** A token is replaced this long before its end, so that none ends on the way. */
const REPLACE_BEFORE_END_MS = 60_000;

/** Keeps the token of one process. Errors of `request` go to everyone who waited for it; nothing is kept of them. */
export function createTokenSource(clock: Clock, request: () => Promise<FreshToken>) {
  const time = steadyTime(clock);
  let current: { token: string; goodUntilMs: number } | undefined;
  let requested: Promise<string> | undefined;

  async function renew(): Promise<string> {
    try {
      const { token, livesMs } = await request();
      // A token that lives shorter than the margin is still used for half its life.
      const goodForMs = Math.max(livesMs - REPLACE_BEFORE_END_MS, livesMs / 2);
      current = { token, goodUntilMs: time() + goodForMs };
      return token;
    } finally {
      requested = undefined;
    }
  }

  return {
    /** A token with some life left. Everyone who needs a new one at the same time waits for the same request. */
    async get(): Promise<string> {
      if (current && time() < current.goodUntilMs) return current.token;
      requested ??= renew();
      return requested;
    },
    /** The token was refused where it was used: it is not handed out again. */
    refused(token: string): void {
      if (current?.token === token) current = undefined;
    },
  };
}

/** Thirty days. */
const MAX_SECONDS = 2_592_000;
const tokenAnswer = z.object({
  access_token: z.string().min(1).max(8_192).regex(/^\S+$/),
  expires_in: z.coerce.number().positive().max(MAX_SECONDS),
});

/** Returns the token in the body of a 200; undefined when the body is not a token answer. `expires_in` comes as a text. */
export function readTokenAnswer(json: unknown): FreshToken | undefined {
  const parsed = tokenAnswer.safeParse(json);
  return parsed.success
    ? { token: parsed.data.access_token, livesMs: parsed.data.expires_in * 1_000 }
    : undefined;
}
