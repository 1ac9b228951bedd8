import * as contract from '@casewatch/contracts/monitoring';
import { auditActor, type Route, route } from '@casewatch/service-kit/http/route';
import type { CheckDueNow } from '../domain/check-due-now.ts';
import { listWatches, type WatchReader } from '../domain/list-watches.ts';

/** Returns the routes, contract by contract with its use case. */
export function createRoutes({
  reader,
  checkDueNow,
}: {
  reader: WatchReader;
  checkDueNow: CheckDueNow;
}): Route[] {
  return [
    route(contract.listWatches, async ({ caller, query }) => ({
      body: await listWatches(reader, caller.userId, query.receiptNumbers),
    })),

    route(contract.checkDueCases, async ({ admin, request }) => ({
      body: await checkDueNow(admin, auditActor(admin, request)),
    })),
  ];
}
