import { readFileSync } from 'node:fs';
import type { OpenApiDocument } from '@casewatch/contracts/openapi';
import type { RequestHandler } from 'express';
import { ROUTE_FILE, setRoute } from '../access-log.ts';
import { pathOf } from '../request-path.ts';
import { REVALIDATE, requireReading, sendFile } from '../web/send-file.ts';
import { compressed, type WebFile } from '../web/web-files.ts';
import { renderDocs } from './docs-page.ts';

/** The human page; `/api/openapi.json` is the same for programs. */
export const DOCS_PATH = '/api/docs';
const STYLE_PATH = '/api/docs.css';

/** Serves the API's description, made once from the contracts. */
export function createDocs(document: OpenApiDocument): RequestHandler {
  const style = readFileSync(new URL('./docs.css', import.meta.url), 'utf8');
  const files = new Map<string, WebFile>([
    ['/api/openapi.json', compressed('application/json', `${JSON.stringify(document, undefined, 2)}\n`)],
    [DOCS_PATH, compressed('text/html; charset=utf-8', renderDocs(document, STYLE_PATH))],
    [STYLE_PATH, compressed('text/css; charset=utf-8', style)],
  ]);
  return (req, res, next) => {
    const path = pathOf(req);
    const file = files.get(path);
    if (!file) return next();
    setRoute(res, ROUTE_FILE);
    requireReading(req, res);
    sendFile(req, res, file, REVALIDATE);
  };
}
