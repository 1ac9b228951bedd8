import type { KeyObject } from 'node:crypto';
import type { ServiceName } from '@casewatch/contracts/route-contract';
import jsonwebtoken from 'jsonwebtoken';
import type { Clock } from '../runtime/clock.ts';

const ISSUER = 'casewatch-gateway';
const ALGORITHM = 'ES256';
/** RFC 7519 tokens carry the caller's identity from the gateway to one service, and no further. */
export const TOKEN_LIFETIME_SECONDS = 60;

/** Signs `claims` for one service; valid for a minute from `issuedAtSeconds`. */
export function signToken(
  claims: Record<string, unknown>,
  audience: ServiceName,
  { privateKey, issuedAtSeconds }: { privateKey: KeyObject; issuedAtSeconds: number },
): string {
  return jsonwebtoken.sign(
    { ...claims, iat: issuedAtSeconds, exp: issuedAtSeconds + TOKEN_LIFETIME_SECONDS },
    privateKey,
    { algorithm: ALGORITHM, issuer: ISSUER, audience },
  );
}

/**
 * Returns the claims of a token with the right algorithm, issuer, audience and time, signed by one of the keys; undefined for every
 * other text. Several keys are accepted while the signing key is replaced.
 */
export function verifySignedToken(
  token: string,
  audience: ServiceName,
  { publicKeys, clock }: { publicKeys: readonly KeyObject[]; clock: Clock },
): unknown {
  for (const publicKey of publicKeys) {
    const claims = verifyWith(publicKey, token, audience, clock);
    if (claims) return claims;
  }
  return undefined;
}

function verifyWith(publicKey: KeyObject, token: string, audience: ServiceName, clock: Clock): unknown {
  try {
    return jsonwebtoken.verify(token, publicKey, {
      algorithms: [ALGORITHM],
      issuer: ISSUER,
      audience,
      clockTimestamp: Math.floor(clock.nowMs() / 1000),
    });
  } catch (error) {
    if (error instanceof jsonwebtoken.JsonWebTokenError) return undefined;
    throw error;
  }
}
