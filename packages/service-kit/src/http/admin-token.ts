import type { KeyObject } from 'node:crypto';
import { ADMIN_ROLES } from '@casewatch/contracts/admin-roles';
import type { ServiceName } from '@casewatch/contracts/route-contract';
import { z } from 'zod';
import type { Clock } from '../runtime/clock.ts';
import type { AdminCaller } from './route.ts';
import { signToken, verifySignedToken } from './signed-token.ts';

const SCOPE = 'admin';
const claims = z.object({
  sub: z.uuid(),
  scope: z.literal(SCOPE),
  role: z.enum(ADMIN_ROLES),
  name: z.string(),
  administrator: z.uuid().optional(),
});

export type AdminTokenIssuer = (admin: AdminCaller, audience: ServiceName) => string;
/** The admin session of a valid token; undefined for every other text, a user's token among them. */
export type AdminTokenVerifier = (token: string) => AdminCaller | undefined;

/** Signs tokens of admin sessions, one per request: their end must be felt at once, so none is kept. */
export function createAdminTokenIssuer(privateKey: KeyObject, clock: Clock): AdminTokenIssuer {
  return ({ sessionId, role, name, administratorId }, audience) => {
    const issuedAtSeconds = Math.floor(clock.nowMs() / 1000);
    return signToken(
      {
        sub: sessionId,
        scope: SCOPE,
        role,
        name,
        ...(administratorId === null ? {} : { administrator: administratorId }),
      },
      audience,
      { privateKey, issuedAtSeconds },
    );
  };
}

export function createAdminTokenVerifier(
  publicKeys: readonly KeyObject[],
  audience: ServiceName,
  clock: Clock,
): AdminTokenVerifier {
  return (token) => {
    const verified = claims.safeParse(verifySignedToken(token, audience, { publicKeys, clock })).data;
    if (!verified) return undefined;
    const { sub, role, name, administrator } = verified;
    return { sessionId: sub, role, name, administratorId: administrator ?? null };
  };
}
