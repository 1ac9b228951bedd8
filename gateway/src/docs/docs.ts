import { readFileSync } from 'node:fs';
import type { OpenApiDocument } from '@casewatch/contracts/openapi-document';
import { shareRepeated } from '@casewatch/contracts/openapi-shared';
import type { RequestHandler } from 'express';
import { ROUTE_FILE, setRoute } from '../access-log.ts';
import { pathOf } from '../request-path.ts';
import { REVALIDATE, requireReading, sendFile } from '../web/send-file.ts';
import { compressed, type WebFile } from '../web/web-files.ts';
import { renderDocs } from './docs-page.ts';

/** The human page; `/api/openapi.json` is the same for programs. */
export const DOCS_PATH = '/api/docs';
const STYLE_PATH = '/api/docs.css';
const JSON_PATH = '/api/openapi.json';
const PATHS: ReadonlySet<string> = new Set([DOCS_PATH, STYLE_PATH, JSON_PATH]);

/** Serves the API's description, generated from the contracts at the first request. */
export function createDocs(describe: () => OpenApiDocument): RequestHandler {
  let made: ReadonlyMap<string, WebFile> | undefined;
  return (req, res, next) => {
    const path = pathOf(req);
    if (!PATHS.has(path)) return next();
    made ??= makeFiles(describe());
    const file = made.get(path);
    if (!file) return next();
    setRoute(res, ROUTE_FILE);
    requireReading(req, res);
    sendFile(req, res, file, REVALIDATE);
  };
}

function makeFiles(document: OpenApiDocument): ReadonlyMap<string, WebFile> {
  const style = readFileSync(new URL('./docs.css', import.meta.url), 'utf8');
  return new Map([
    [JSON_PATH, compressed('application/json', `${JSON.stringify(shareRepeated(document), undefined, 2)}\n`)],
    [DOCS_PATH, compressed('text/html; charset=utf-8', renderDocs(document, STYLE_PATH))],
    [STYLE_PATH, compressed('text/css; charset=utf-8', style)],
  ]);
}
