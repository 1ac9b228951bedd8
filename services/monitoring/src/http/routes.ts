import * as contract from '@casewatch/contracts/monitoring';
import { type Route, route } from '@casewatch/service-kit/http/route';
import { listWatches, type WatchReader } from '../domain/list-watches.ts';

/** Returns the routes, contract by contract with its use case. */
export function createRoutes(reader: WatchReader): Route[] {
  return [
    route(contract.listWatches, async ({ caller, query }) => ({
      body: await listWatches(reader, caller.userId, query.receiptNumbers),
    })),
  ];
}
