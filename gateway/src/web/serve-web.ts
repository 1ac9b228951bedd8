import { isPagePath } from '@casewatch/contracts/server-paths';
import type { Request, RequestHandler, Response } from 'express';
import { ROUTE_FILE, ROUTE_PAGE, setRoute } from '../access-log.ts';
import { pathOf } from '../request-path.ts';
import { sessionIdOf } from '../sessions.ts';
import { keepChosenLanguage, landingFile, pageLanguage } from './page-language.ts';
import { IMMUTABLE, REVALIDATE, requireReading, sendFile } from './send-file.ts';
import type { WebFile, WebFiles } from './web-files.ts';

const INDEX = '/index.html';
/** Pages have addresses of their own, and not those of their files. */
const PAGE_FILE = /\.html$/;
/** Paths that show the app, and not the landing page, to visitors, too. */
const APP_PATHS = /^\/(?:auth|admin|cases|notifications|unsubscribe)(?:\/|$)/;

/**
 * Serves the web app's files. Any other path without a dot gets the app itself, or the landing page, in the reader's
 * language, for visitors without a session cookie, unless the Accept header excludes HTML. Everything else goes to `next`.
 */
export function serveWeb(files: WebFiles, cookieName: string): RequestHandler {
  return (req, res, next) => {
    const path = pathOf(req);
    const file = files.get(path);
    if (file && !PAGE_FILE.test(path)) {
      setRoute(res, ROUTE_FILE);
      requireReading(req, res);
      return sendFile(req, res, file, path.startsWith('/assets/') ? IMMUTABLE : REVALIDATE);
    }
    if (!isPagePath(path)) return next();
    setRoute(res, ROUTE_PAGE);
    requireReading(req, res);
    res.vary('Accept');
    if (!acceptsHtml(req)) return next();
    const page = pageFor(path, req);
    if (!page) return sendNotBuilt(res);
    res.vary('Cookie').vary('Accept-Language');
    keepChosenLanguage(req, res);
    sendFile(req, res, page, REVALIDATE);
  };

  function pageFor(path: string, req: Request): WebFile | undefined {
    const app = files.get(INDEX);
    if (APP_PATHS.test(path) || sessionIdOf(req.headers.cookie, cookieName)) return app;
    return files.get(landingFile(pageLanguage(req))) ?? app;
  }
}

/** Also true without the header, and for the ranges of programs: curl, uptime monitors and link previews send them. */
export function acceptsHtml(req: Request): boolean {
  return !req.headers.accept || req.accepts('html') !== false;
}

function sendNotBuilt(res: Response): void {
  res
    .status(503)
    .set({ 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' })
    .end('The web app is not built yet. Run "npm start" (or "npm run build") and reload this page.\n');
}
