import * as contract from '@casewatch/contracts/admin-log';
import { AppError } from '@casewatch/service-kit/errors/app-error';
import { type Route, route, type StreamReply, streamRoute } from '@casewatch/service-kit/http/route';
import type { ServiceClient } from '@casewatch/service-kit/http/service-client';
import type { Clock } from '@casewatch/service-kit/runtime/clock';
import type { Logger } from '@casewatch/service-kit/runtime/logger';
import type { AuditTrail } from '../domain/audit-trail.ts';
import { type CallFilter, toCallFilter } from '../domain/call-filter.ts';
import type { CallLog } from '../domain/call-log.ts';
import { type CallCounts, callOverview } from '../domain/call-overview.ts';
import { type ExportFormat, exportCalls } from '../domain/export-calls.ts';
import { withFoundUsers } from '../domain/find-users.ts';
import { listAudit } from '../domain/list-audit.ts';
import { listCalls } from '../domain/list-calls.ts';
import { fromCursor } from '../domain/position.ts';
import { dateOf, payloadsSince, type Retention } from '../domain/retention.ts';
import { sendPieces } from './send-pieces.ts';

export interface RouteDeps {
  calls: CallLog;
  counts: CallCounts;
  audit: AuditTrail;
  retention: Retention;
  callsPerDay: number;
  /** Knows the users' last names and e-mail addresses. */
  services: ServiceClient;
  clock: Clock;
  logger: Logger;
  /** Resolves when the export is recorded in the outbox. */
  recordExport(
    filter: CallFilter,
    format: ExportFormat,
    who: { sessionId: string; address: string },
  ): Promise<void>;
}

/** Contract -> use case. */
export function createRoutes(deps: RouteDeps): Route[] {
  const { calls, counts, audit, retention, clock } = deps;

  async function download(
    format: ExportFormat,
    filters: contract.LogFilters,
    who: { sessionId: string; address: string },
  ): Promise<StreamReply> {
    const filter = await withFoundUsers(deps.services, toCallFilter(filters));
    const nowMs = clock.nowMs();
    await deps.recordExport(filter, format, who);
    const pieces = exportCalls(calls, filter, format, payloadsSince(nowMs, retention));
    return {
      headers: {
        'Content-Disposition': `attachment; filename="casewatch-api-logs-${dateOf(nowMs)}.${format}"`,
      },
      stream: (out) => void sendPieces(pieces, out, deps.logger),
    };
  }

  return [
    route(contract.listLogs, async ({ query }) => ({
      body: await listCalls(
        calls,
        await withFoundUsers(deps.services, toCallFilter(query)),
        query,
        payloadsSince(clock.nowMs(), retention),
      ),
    })),
    route(contract.getLog, async ({ params }) => {
      const found = await calls.at(
        fromCursor('place', params.place),
        payloadsSince(clock.nowMs(), retention),
      );
      if (!found) throw new AppError('NOT_FOUND', 'This lookup is not in the log, or no longer.');
      return { body: found };
    }),
    streamRoute(contract.exportLogsCsv, ({ query, admin, request }) =>
      download('csv', query, { ...admin, address: request.address }),
    ),
    streamRoute(contract.exportLogsNdjson, ({ query, admin, request }) =>
      download('ndjson', query, { ...admin, address: request.address }),
    ),
    route(contract.getCallOverview, async () => ({
      body: await callOverview(counts, clock.nowMs(), deps.callsPerDay),
    })),
    route(contract.listAudit, async ({ query }) => ({ body: await listAudit(audit, query) })),
  ];
}
