import * as contract from '@casewatch/contracts/admin-log';
import { seesMaskedData } from '@casewatch/contracts/admin-roles';
import {
  type AdminCaller,
  type AuditActor,
  auditActor,
  type RequestFacts,
  type Route,
  route,
  type StreamReply,
  streamRoute,
} from '@casewatch/service-kit/http/route';
import { sendPieces } from '@casewatch/service-kit/http/send-pieces';
import type { Clock } from '@casewatch/service-kit/runtime/clock';
import type { Logger } from '@casewatch/service-kit/runtime/logger';
import type { AuditTrail } from '../domain/audit-trail.ts';
import { type CallFilter, toCallFilter } from '../domain/call-filter.ts';
import type { CallLog } from '../domain/call-log.ts';
import { type CallCounts, callOverview } from '../domain/call-overview.ts';
import { type ExportFormat, exportCalls } from '../domain/export-calls.ts';
import { exportAudit, listAudit, toAuditFilter } from '../domain/list-audit.ts';
import { listCalls } from '../domain/list-calls.ts';
import { dateOf, payloadsSince, type Retention } from '../domain/retention.ts';

export interface RouteDeps {
  calls: CallLog;
  counts: CallCounts;
  audit: AuditTrail;
  retention: Retention;
  callsPerDay: number;
  clock: Clock;
  logger: Logger;
  /** Each resolves when the export is recorded in the outbox. */
  recordExport(filter: CallFilter, format: ExportFormat, who: AuditActor): Promise<void>;
  recordAuditExport(filters: contract.AuditFilters, who: AuditActor): Promise<void>;
}

/** Contract -> use case. */
export function createRoutes(deps: RouteDeps): Route[] {
  const { calls, counts, audit, retention, clock } = deps;

  async function download(
    format: ExportFormat,
    filters: contract.LogFilters,
    who: AuditActor,
  ): Promise<StreamReply> {
    const filter = toCallFilter(filters);
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

  async function downloadAudit(
    filters: contract.AuditFilters,
    admin: AdminCaller,
    request: RequestFacts,
  ): Promise<StreamReply> {
    const filter = toAuditFilter(filters);
    await deps.recordAuditExport(filters, auditActor(admin, request));
    const isMasked = seesMaskedData(admin.role);
    const pieces = exportAudit(audit, filter, isMasked);
    return {
      headers: {
        'Content-Disposition': `attachment; filename="casewatch-audit-trail-${dateOf(clock.nowMs())}.csv"`,
      },
      isMasked,
      stream: (out) => void sendPieces(pieces, out, deps.logger),
    };
  }

  return [
    route(contract.listLogs, async ({ query }) => ({
      body: await listCalls(calls, toCallFilter(query), query, payloadsSince(clock.nowMs(), retention)),
    })),
    streamRoute(contract.exportLogsCsv, ({ query, admin, request }) =>
      download('csv', query, auditActor(admin, request)),
    ),
    streamRoute(contract.exportLogsNdjson, ({ query, admin, request }) =>
      download('ndjson', query, auditActor(admin, request)),
    ),
    route(contract.getCallOverview, async () => ({
      body: await callOverview(counts, clock.nowMs(), deps.callsPerDay),
    })),
    route(contract.listAudit, async ({ query }) => ({ body: await listAudit(audit, query) })),
    streamRoute(contract.exportAuditCsv, ({ query, admin, request }) => downloadAudit(query, admin, request)),
  ];
}
