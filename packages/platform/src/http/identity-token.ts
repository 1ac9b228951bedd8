import type { KeyObject } from 'node:crypto';
import { TIERS } from '@casewatch/contracts/limits';
import type { ServiceName } from '@casewatch/contracts/route-contract';
import jsonwebtoken from 'jsonwebtoken';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import type { Clock } from '../runtime/clock.ts';
import type { Caller } from './route.ts';

const ISSUER = 'casewatch-gateway';
const ALGORITHM = 'ES256';
/** RFC 7519 token that carries who the caller is from the gateway to one service. */
const LIFETIME_SECONDS = 60;
/** A cached token is replaced this long before its end, so that none expires on the way. */
const RENEW_BEFORE_SECONDS = 15;

const claims = z.object({
  sub: z.uuid(),
  tier: z.enum(TIERS),
  name: z.string(),
  exp: z.number(),
});

export type TokenIssuer = (caller: Caller, audience: ServiceName) => string;
/** The caller of a valid token; undefined for every other text. */
export type TokenVerifier = (token: string) => Caller | undefined;

/** Signs tokens for one service each, once per caller and about 45 seconds (signing is what costs). */
export function createTokenIssuer(privateKey: KeyObject, clock: Clock): TokenIssuer {
  const cache = new LRUCache<string, { token: string; renewAtMs: number }>({ max: 20_000 });
  return (caller, audience) => {
    const key = `${audience} ${caller.userId} ${caller.tier} ${caller.name}`;
    const known = cache.get(key);
    if (known && clock.nowMs() < known.renewAtMs) return known.token;
    const issuedAt = Math.floor(clock.nowMs() / 1000);
    const token = jsonwebtoken.sign(
      {
        sub: caller.userId,
        tier: caller.tier,
        name: caller.name,
        iat: issuedAt,
        exp: issuedAt + LIFETIME_SECONDS,
      },
      privateKey,
      { algorithm: ALGORITHM, issuer: ISSUER, audience },
    );
    cache.set(key, { token, renewAtMs: (issuedAt + LIFETIME_SECONDS - RENEW_BEFORE_SECONDS) * 1000 });
    return token;
  };
}

/** Verifies algorithm, issuer, audience and expiry; a token seen before costs a map look-up until it expires. */
export function createTokenVerifier(
  publicKey: KeyObject,
  audience: ServiceName,
  clock: Clock,
): TokenVerifier {
  const cache = new LRUCache<string, { caller: Caller; expiresAtMs: number }>({ max: 20_000 });
  return (token) => {
    const known = cache.get(token);
    if (known) return clock.nowMs() < known.expiresAtMs ? known.caller : undefined;
    const verified = verify(token, publicKey, audience, clock);
    if (!verified) return undefined;
    const { sub, tier, name, exp } = verified;
    const caller = { userId: sub, tier, name };
    cache.set(token, { caller, expiresAtMs: exp * 1000 });
    return caller;
  };
}

function verify(token: string, publicKey: KeyObject, audience: ServiceName, clock: Clock) {
  try {
    const payload = jsonwebtoken.verify(token, publicKey, {
      algorithms: [ALGORITHM],
      issuer: ISSUER,
      audience,
      clockTimestamp: Math.floor(clock.nowMs() / 1000),
    });
    return claims.safeParse(payload).data;
  } catch (error) {
    if (error instanceof jsonwebtoken.JsonWebTokenError) return undefined;
    throw error;
  }
}
