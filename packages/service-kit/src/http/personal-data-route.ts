import type { RouteContract } from '@casewatch/contracts/route-contract';
import type { Pool } from 'pg';
import { type PersonalData, readPersonalData } from '../database/personal-data.ts';
import type { Logger } from '../runtime/logger.ts';
import { type Route, streamRoute } from './route.ts';
import { sendPieces } from './send-pieces.ts';

/** Returns the route by which a user downloads what a service holds about the account. */
export function personalDataRoute<R extends RouteContract & { access: 'user' }>(
  contract: R,
  { pool, data, logger }: { pool: Pool; data: PersonalData; logger: Logger },
): Route {
  return streamRoute<RouteContract & { access: 'user' }>(contract, async ({ caller }) => ({
    headers: { 'Content-Disposition': `attachment; filename="${contract.service}.ndjson"` },
    stream: (out) => void sendPieces(readPersonalData(pool, data, caller.userId), out, logger),
  }));
}
