import type { IncomingMessage, ServerResponse } from 'node:http';
import type { OpenApiDocument } from '@casewatch/contracts/openapi-document';
import { createErrorMiddleware, notFound } from '@casewatch/service-kit/http/error-middleware';
import { REQUEST_ID_HEADER } from '@casewatch/service-kit/http/internal-headers';
import { bareExpress, createProbes, type ProbeOptions } from '@casewatch/service-kit/http/service-app';
import type { Meter } from '@casewatch/service-kit/telemetry/telemetry';
import { createDocs, DOCS_PATH } from './docs/docs.ts';
import { createPolicyReports } from './policy-reports.ts';
import { isApiPath, pathOf } from './request-path.ts';
import type { SecurityHeaders } from './security-headers.ts';
import { explainLimitOnPage } from './web/explain-limit.ts';
import { serveWeb } from './web/serve-web.ts';
import type { WebFiles } from './web/web-files.ts';

/** Answers a request that no service answers; with an error, as that error. */
export type Site = (req: IncomingMessage, res: ServerResponse, error?: unknown) => void;

export interface SiteOptions extends ProbeOptions {
  headers: SecurityHeaders;
  /** The web app and the documentation, where they are served. */
  pages:
    | {
        files: WebFiles;
        /** Pages that lead to another site, by their paths. */
        elsewhere: ReadonlyMap<string, string>;
        cookieName: string;
        describe: () => OpenApiDocument;
        meter: Meter;
      }
    | undefined;
}

/** Builds what the gateway answers itself: probes, documentation, the web app, and every error in one place. */
export function createSite({ headers, pages, ...probes }: SiteOptions): Site {
  const errors = new WeakMap<IncomingMessage, unknown>();
  const app = bareExpress();
  app.use((req, _res, next) => next(errors.get(req)));
  app.use(createProbes(probes));
  if (pages) {
    const reports = createPolicyReports(pages.meter, probes.logger);
    app.use(createDocs(pages.describe), reports, serveWeb(pages.files, pages.cookieName, pages.elsewhere));
  }
  app.use(notFound);
  app.use(explainLimitOnPage);
  app.use(createErrorMiddleware(probes.logger));

  return (req, res, error) => {
    const path = pathOf(req);
    if (!res.headersSent) {
      const kind = isApiPath(path) && path !== DOCS_PATH ? 'data' : 'page';
      headers.set(res, String(req.headers[REQUEST_ID_HEADER]), kind);
    }
    if (error !== undefined) errors.set(req, error);
    app(req, res);
  };
}
