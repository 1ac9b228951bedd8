import type { KeyObject } from 'node:crypto';
import { TIERS } from '@casewatch/contracts/limits';
import type { ServiceName } from '@casewatch/contracts/route-contract';
import { z } from 'zod';
import type { Clock } from '../runtime/clock.ts';
import { createRecentCache } from '../runtime/recent-cache.ts';
import type { Caller } from './route.ts';
import { signToken, TOKEN_LIFETIME_SECONDS, verifySignedToken } from './signed-token.ts';

/** A cached token is replaced this long before its end, so that none expires on the way. */
const RENEW_BEFORE_SECONDS = 15;
const MAX_CACHED = 20_000;

const claims = z.object({
  sub: z.uuid(),
  tier: z.enum(TIERS),
  name: z.string(),
  session: z.uuid(),
  exp: z.number(),
  /** A token for something else than being a user, such as the admin area, is none of ours. */
  scope: z.never().optional(),
});

export type TokenIssuer = (caller: Caller, audience: ServiceName) => string;
/** The caller of a valid token; undefined for every other text. */
export type TokenVerifier = (token: string) => Caller | undefined;

/** Signs tokens for one service each, once per caller and about 45 seconds (signing is what costs). */
export function createTokenIssuer(privateKey: KeyObject, clock: Clock): TokenIssuer {
  const cache = createRecentCache<{ token: string; renewAtMs: number }>({
    max: MAX_CACHED,
    keepMs: (TOKEN_LIFETIME_SECONDS - RENEW_BEFORE_SECONDS) * 1000,
  });
  return ({ userId, sessionId, tier, name }, audience) => {
    const key = `${audience} ${userId} ${sessionId} ${tier} ${name}`;
    const known = cache.get(key);
    if (known && clock.nowMs() < known.renewAtMs) return known.token;
    const issuedAtSeconds = Math.floor(clock.nowMs() / 1000);
    const claimed = { sub: userId, tier, name, session: sessionId };
    const token = signToken(claimed, audience, { privateKey, issuedAtSeconds });
    const renewAtMs = (issuedAtSeconds + TOKEN_LIFETIME_SECONDS - RENEW_BEFORE_SECONDS) * 1000;
    cache.set(key, { token, renewAtMs });
    return token;
  };
}

/** Verifies algorithm, issuer, audience and expiry; a token seen before costs a map lookup until it expires. */
export function createTokenVerifier(
  publicKeys: readonly KeyObject[],
  audience: ServiceName,
  clock: Clock,
): TokenVerifier {
  const cache = createRecentCache<{ caller: Caller; expiresAtMs: number }>({
    max: MAX_CACHED,
    keepMs: TOKEN_LIFETIME_SECONDS * 1000,
  });
  return (token) => {
    const known = cache.get(token);
    if (known) return clock.nowMs() < known.expiresAtMs ? known.caller : undefined;
    const verified = claims.safeParse(verifySignedToken(token, audience, { publicKeys, clock })).data;
    if (!verified) return undefined;
    const { sub, tier, name, session, exp } = verified;
    const caller = { userId: sub, sessionId: session, tier, name };
    cache.set(token, { caller, expiresAtMs: exp * 1000 });
    return caller;
  };
}
