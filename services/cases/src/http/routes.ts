import { randomUUID } from 'node:crypto';
import { demonstrateAgencyCall } from '@casewatch/contracts/agency-demonstration';
import { type AgencyQueueNow, getAgencyQueue } from '@casewatch/contracts/agency-queue';
import { listCaseNicknames } from '@casewatch/contracts/case-nicknames';
import { listCaseOverviews } from '@casewatch/contracts/case-overviews';
import * as contract from '@casewatch/contracts/cases';
import { checkCases } from '@casewatch/contracts/check-cases';
import * as exports from '@casewatch/contracts/exports';
import type { LookupOrigin } from '@casewatch/contracts/lookup-outcomes';
import {
  listOpenDates,
  OPEN_DATES_PAGE,
  putCaseDate,
  removeCaseDate,
} from '@casewatch/contracts/saved-case-dates';
import * as workspace from '@casewatch/contracts/workspace';
import {
  auditActor,
  type Caller,
  type RequestFacts,
  type Route,
  route,
  type StreamReply,
  streamRoute,
} from '@casewatch/service-kit/http/route';
import { sendPieces } from '@casewatch/service-kit/http/send-pieces';
import type { Clock } from '@casewatch/service-kit/runtime/clock';
import type { Logger } from '@casewatch/service-kit/runtime/logger';
import type { Tracing } from '@casewatch/service-kit/telemetry/tracing';
import { putDate, removeDate } from '../domain/case-dates.ts';
import { changeSavedCase } from '../domain/change-saved-case.ts';
import { changeSavedCases } from '../domain/change-saved-cases.ts';
import type { CheckCases } from '../domain/check-cases.ts';
import type { Demonstrate } from '../domain/demonstrate.ts';
import {
  type CaseExportStore,
  type ExportContent,
  type ExportSelection,
  exportCsv,
  exportNdjson,
  requireExport,
} from '../domain/export-cases.ts';
import type { LookUpCase } from '../domain/look-up-case.ts';
import { lookUpCases } from '../domain/look-up-cases.ts';
import type { UserRequester } from '../domain/lookup.ts';
import { listRemovedCases, removeSavedCase } from '../domain/removed-cases.ts';
import { importSavedCases, saveCase } from '../domain/save-case.ts';
import type { SavedCaseStore } from '../domain/saved-case-store.ts';

export interface CasesDeps {
  lookUpCase: LookUpCase;
  checkCases: CheckCases;
  savedCases: SavedCaseStore;
  caseExports: CaseExportStore;
  readQueueNow(): Promise<AgencyQueueNow>;
  demonstrate: Demonstrate;
  clock: Clock;
  logger: Logger;
  tracing: Tracing;
}

/** Returns the routes, contract by contract with its use case. */
export function createRoutes(deps: CasesDeps): Route[] {
  return [...lookupRoutes(deps), ...exportRoutes(deps), ...savedCaseRoutes(deps)];
}

function lookupRoutes(deps: CasesDeps): Route[] {
  return [
    route(contract.lookUpCases, async ({ caller, query, body, request }) => ({
      body: await lookUpCases(
        deps,
        requesters(deps, caller, query.origin === 'search' ? 'bulk' : query.origin, request),
        body.receiptNumbers,
      ),
    })),

    route(contract.lookUpCase, async ({ caller, params, query, request }) => ({
      body: await deps.lookUpCase(
        params.receiptNumber,
        requesters(deps, caller, query.origin === 'search' ? 'single' : query.origin, request)(),
      ),
    })),

    route(checkCases, async ({ body: { receiptNumbers } }) => ({
      body: {
        results: await deps.checkCases.check(
          receiptNumbers,
          deps.tracing.ids()?.trace_id,
          deps.tracing.traceparent(),
        ),
      },
    })),

    route(getAgencyQueue, async () => ({ body: await deps.readQueueNow() })),

    route(demonstrateAgencyCall, async ({ admin, body, request }) => {
      const { tracing } = deps;
      const lookup = {
        requestId: request.requestId,
        traceId: tracing.ids()?.trace_id,
        traceparent: tracing.traceparent(),
      };
      return { body: await deps.demonstrate(body, admin, lookup, auditActor(admin, request)) };
    }),
  ];
}

function exportRoutes({ caseExports, logger }: CasesDeps): Route[] {
  async function download(
    file: string,
    content: ExportContent,
    selection: ExportSelection,
    pieces: AsyncGenerator<string>,
  ): Promise<StreamReply> {
    return {
      headers: {
        'Content-Disposition': `attachment; filename="${file}"`,
        [exports.TOTAL_COUNT_HEADER]: String(await caseExports.countForExport(selection, content)),
      },
      stream: (out) => void sendPieces(pieces, out, logger),
    };
  }

  return [
    streamRoute(contract.exportSavedCases, async ({ caller }) => {
      requireExport(caller);
      const pieces = exportCsv(caseExports, caller, { content: 'cases', timeZone: 'UTC' });
      return download('saved-cases.csv', 'cases', caller, pieces);
    }),

    streamRoute(exports.exportCasesCsv, async ({ caller, body: { receiptNumbers, content, timeZone } }) => {
      requireExport(caller);
      const selection = { userId: caller.userId, receiptNumbers };
      const file = content === 'history' ? 'case-history.csv' : 'saved-cases.csv';
      return download(file, content, selection, exportCsv(caseExports, selection, { content, timeZone }));
    }),

    streamRoute(exports.exportCasesNdjson, async ({ caller, body: { receiptNumbers } }) => {
      requireExport(caller);
      const selection = { userId: caller.userId, receiptNumbers };
      return download('saved-cases.ndjson', 'cases', selection, exportNdjson(caseExports, selection));
    }),
  ];
}

function savedCaseRoutes(deps: CasesDeps): Route[] {
  return [
    route(listCaseNicknames, async ({ body }) => {
      const details = await deps.savedCases.details(body.cases);
      const nicknames = details.flatMap(({ userId, receiptNumber, nickname }) =>
        nickname === null ? [] : { userId, receiptNumber, nickname },
      );
      return { body: { nicknames, details } };
    }),

    route(listCaseOverviews, async ({ body }) => ({
      body: { cases: await deps.savedCases.overviews(body.userIds) },
    })),

    route(contract.listSavedCases, async ({ caller, query }) => ({
      body: await deps.savedCases.list(caller.userId, query.receiptNumbers),
    })),

    route(workspace.listSavedCasesPage, async ({ caller, query }) => ({
      body: await deps.savedCases.page(caller.userId, query),
    })),

    route(workspace.listRemovedCases, async ({ caller }) => ({
      body: await listRemovedCases(deps, caller.userId),
    })),

    route(workspace.changeSavedCases, async ({ caller, body }) => ({
      body: { results: await changeSavedCases(deps, caller, body) },
    })),

    route(workspace.importSavedCases, async ({ caller, body }) => ({
      body: { results: await importSavedCases(deps, caller, body.cases, body.after) },
    })),

    route(contract.saveCase, async ({ caller, body }) => ({ body: await saveCase(deps, caller, body) })),

    route(contract.changeSavedCase, async ({ caller, params, body }) => ({
      body: await changeSavedCase(deps, caller, params.receiptNumber, body),
    })),

    route(contract.removeSavedCase, async ({ caller, params }) => {
      await removeSavedCase(deps, caller.userId, params.receiptNumber);
      return { body: undefined };
    }),

    route(putCaseDate, async ({ caller, params, body }) => ({
      body: await putDate(deps, caller.userId, params, body),
    })),

    route(removeCaseDate, async ({ caller, params }) => ({
      body: await removeDate(deps, caller.userId, params),
    })),

    route(listOpenDates, async ({ body }) => ({
      body: await deps.savedCases.openDates(body, OPEN_DATES_PAGE),
    })),
  ];
}

/** Makes a requester for each lookup of a request. */
function requesters(
  { clock, tracing }: CasesDeps,
  caller: Caller,
  origin: LookupOrigin,
  request: RequestFacts,
) {
  const { requestId, signal } = request;
  const blame: RequestFacts['blame'] = (fault) => request.blame?.(fault);
  const startedAtMs = clock.nowMs();
  const traceId = tracing.ids()?.trace_id;
  const traceparent = tracing.traceparent();
  return (): UserRequester => ({
    source: 'user',
    ...caller,
    lookup: { id: randomUUID(), origin, requestId, traceId, traceparent, startedAtMs, signal, blame },
  });
}
