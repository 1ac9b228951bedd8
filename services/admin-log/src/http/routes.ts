import * as contract from '@casewatch/contracts/admin-log';
import { type AdminRole, seesMaskedData } from '@casewatch/contracts/admin-roles';
import * as viewContract from '@casewatch/contracts/log-views';
import { AppError } from '@casewatch/service-kit/errors/app-error';
import {
  type AdminCaller,
  type AuditActor,
  auditActor,
  permissionDenied,
  type RequestFacts,
  type Route,
  route,
  type StreamReply,
  streamRoute,
} from '@casewatch/service-kit/http/route';
import { sendPieces } from '@casewatch/service-kit/http/send-pieces';
import type { ServiceClient } from '@casewatch/service-kit/http/service-client';
import type { Clock } from '@casewatch/service-kit/runtime/clock';
import type { Logger } from '@casewatch/service-kit/runtime/logger';
import { type CallFilter, toCallFilter } from '../domain/call-filter.ts';
import type { CallLog } from '../domain/call-log.ts';
import { type CallCounts, callOverview } from '../domain/call-overview.ts';
import { type ExportFormat, exportCalls } from '../domain/export-calls.ts';
import { withFoundUsers } from '../domain/find-users.ts';
import { type AuditTrail, exportAudit, listAudit, toAuditFilter } from '../domain/list-audit.ts';
import { listCalls } from '../domain/list-calls.ts';
import { type LogViews, listViews, removeView, saveViews } from '../domain/log-views.ts';
import { fromCursor } from '../domain/position.ts';
import { dateOf, payloadsSince, type Retention } from '../domain/retention.ts';

export interface RouteDeps {
  calls: CallLog;
  counts: CallCounts;
  audit: AuditTrail;
  views: LogViews;
  retention: Retention;
  callsPerDay: number;
  /** Knows the users' last names and e-mail addresses. */
  services: ServiceClient;
  clock: Clock;
  databaseNowMs(): Promise<number>;
  logger: Logger;
  /** Each resolves when the export is recorded in the outbox. */
  recordExport(filter: CallFilter, format: ExportFormat, actor: AuditActor): Promise<void>;
  recordAuditExport(filters: contract.AuditFilters, actor: AuditActor): Promise<void>;
}

/** Returns the routes, contract by contract with its use case. */
export function createRoutes(deps: RouteDeps): Route[] {
  const { calls, counts, audit, views, retention, clock } = deps;

  /** A role that sees masked data must not find out by a search what is masked. */
  async function filterFor(filters: contract.LogFilters, role: AdminRole): Promise<CallFilter> {
    const isPersonal = filters.q?.some(({ key }) => key === 'receipt' || key === 'user') ?? false;
    if (isPersonal && seesMaskedData(role)) throw permissionDenied();
    return withFoundUsers(deps.services, toCallFilter(filters));
  }

  async function download(
    format: ExportFormat,
    filters: contract.LogFilters,
    actor: AuditActor,
  ): Promise<StreamReply> {
    const filter = await filterFor(filters, actor.role);
    const nowMs = clock.nowMs();
    await deps.recordExport(filter, format, actor);
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
    route(contract.listLogs, async ({ query, admin }) => ({
      body: await listCalls(
        calls,
        await filterFor(query, admin.role),
        query,
        payloadsSince(clock.nowMs(), retention),
      ),
    })),
    route(contract.getLog, async ({ params }) => {
      const found = await calls.at(
        fromCursor('place', params.place),
        payloadsSince(clock.nowMs(), retention),
      );
      if (!found) throw new AppError('NOT_FOUND', { en: 'This lookup is not in the log, or was removed.' });
      return { body: found };
    }),
    streamRoute(contract.exportLogsCsv, ({ query, admin, request }) =>
      download('csv', query, auditActor(admin, request)),
    ),
    streamRoute(contract.exportLogsNdjson, ({ query, admin, request }) =>
      download('ndjson', query, auditActor(admin, request)),
    ),
    route(contract.getCallOverview, async () => ({
      body: await callOverview(counts, await deps.databaseNowMs(), deps.callsPerDay),
    })),
    route(viewContract.listLogViews, async ({ admin }) => ({ body: await listViews(views, admin) })),
    route(viewContract.saveLogViews, async ({ body, admin }) => ({
      body: await saveViews(views, admin, body.views),
    })),
    route(viewContract.removeLogView, async ({ params, admin }) => {
      await removeView(views, admin, params.id);
      return { body: { ok: true as const } };
    }),
    route(contract.listAudit, async ({ query }) => ({ body: await listAudit(audit, query) })),
    streamRoute(contract.exportAuditCsv, ({ query, admin, request }) => downloadAudit(query, admin, request)),
  ];
}
