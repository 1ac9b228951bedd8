import { type AppPage, appPageAt, signInPath } from '@casewatch/contracts/app-pages';
import { CHANGE_PASSWORD_PATH, hasDot, isPagePath } from '@casewatch/contracts/server-paths';
import type { Request, RequestHandler, Response } from 'express';
import { ROUTE_FILE, ROUTE_PAGE, setRoute } from '../access-log.ts';
import { pathOf } from '../request-path.ts';
import { sessionIdOf } from '../sessions.ts';
import { BUILT_PAGES, keepChosenLanguage, pageFile, pageLanguage } from './page-language.ts';
import { IMMUTABLE, REVALIDATE, requireReading, sendFile } from './send-file.ts';
import type { WebFile, WebFiles } from './web-files.ts';

const INDEX = '/index.html';
/** Where a signed-in user changes the password. */
const PASSWORD_PAGE: AppPage = '/profile/security';
/** Pages have addresses of their own, and not those of their files. */
const PAGE_FILE = /\.html$/;

/**
 * Serves the web app's files. Any other path that is not a file's by its name gets the app itself, unless the Accept header
 * excludes HTML, as 404 where its dot makes it a page that there is not. Without a session cookie only the pages that show more than
 * the landing page do, and the others get that one in the reader's language. The page about browsers and the status guide are the
 * same for all; so are the policy pages, of which those that are `elsewhere` (path to URL) lead there. Everything else goes to `next`.
 */
export function serveWeb(
  files: WebFiles,
  cookieName: string,
  elsewhere: ReadonlyMap<string, string>,
): RequestHandler {
  return (req, res, next) => {
    const path = pathOf(req);
    const file = files.get(path);
    if (file && !PAGE_FILE.test(path)) {
      setRoute(res, ROUTE_FILE);
      requireReading(req, res);
      return sendFile(req, res, file, path.startsWith('/assets/') ? IMMUTABLE : REVALIDATE);
    }
    if (path === CHANGE_PASSWORD_PATH) {
      setRoute(res, ROUTE_PAGE);
      requireReading(req, res);
      return res.redirect(302, signInPath(PASSWORD_PAGE));
    }
    const other = elsewhere.get(path.replace(/\/$/, ''));
    if (other !== undefined) {
      setRoute(res, ROUTE_PAGE);
      requireReading(req, res);
      return res.redirect(302, other);
    }
    if (!isPagePath(path) && !sameForAll(path)) return next();
    setRoute(res, ROUTE_PAGE);
    requireReading(req, res);
    res.vary('Accept');
    if (!acceptsHtml(req)) return next();
    const page = pageFor(path, req);
    if (!page) return sendNotBuilt(res);
    res.vary('Cookie').vary('Accept-Language');
    keepChosenLanguage(req, res);
    if (hasDot(path) && !appPageAt(path)) res.status(404);
    sendFile(req, res, page, REVALIDATE);
  };

  function pageFor(path: string, req: Request): WebFile | undefined {
    const app = files.get(INDEX);
    const name = sameForAll(path);
    if (name) return files.get(pageFile(name, pageLanguage(req)));
    const shown = appPageAt(path)?.shownSignedOut ?? 'landing';
    if (shown !== 'landing' || sessionIdOf(req.headers.cookie, cookieName)) return app;
    return files.get(pageFile('landing', pageLanguage(req))) ?? app;
  }
}

const SAME_FOR_ALL = new Map(Object.entries(BUILT_PAGES).filter(([path]) => path !== '/'));
const sameForAll = (path: string) => SAME_FOR_ALL.get(path.replace(/\/$/, ''));

/** Returns true also without the header, and for the ranges of programs: curl, uptime monitors and link previews send them. */
export function acceptsHtml(req: Request): boolean {
  return !req.headers.accept || req.accepts('html') !== false;
}

function sendNotBuilt(res: Response): void {
  res
    .status(503)
    .set({ 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' })
    .end('The web app is not built yet. Run "npm start" (or "npm run build") and reload this page.\n');
}
