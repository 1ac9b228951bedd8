import type { IncomingMessage } from 'node:http';
import { AppError } from '@casewatch/service-kit/errors/app-error';

const SAFE_METHODS = new Set(['GET', 'HEAD']);
const LOOPBACK = /^(?:localhost|127\.0\.0\.1|\[::1\])$/;

/** Refuses a request that another site may have caused. */
export type CsrfCheck = (req: IncomingMessage) => void;

/**
 * Creates the check that unsafe methods have the browser's word that they come from our own pages (`Sec-Fetch-Site: same-origin`), or
 * from browsers that don't give it, our exact Origin. On a loopback PUBLIC_URL the request's own loopback origin
 * counts, whatever name and port it was opened by.
 * @throws AppError CSRF
 */
export function createCsrfCheck(publicUrl: string): CsrfCheck {
  const { origin, hostname, protocol } = new URL(publicUrl);
  const onLoopback = protocol === 'http:' && LOOPBACK.test(hostname);

  return (req) => {
    if (SAFE_METHODS.has(req.method ?? '')) return;
    const site = req.headers['sec-fetch-site'];
    if (site === 'same-origin') return;
    if (site === undefined && isOurs(req.headers.origin, req.headers.host)) return;
    throw new AppError('CSRF');
  };

  function isOurs(given: string | undefined, host: string | undefined): boolean {
    if (given === undefined) return false;
    if (given === origin) return true;
    return onLoopback && given === `http://${host}` && LOOPBACK.test(given.slice(7).replace(/:\d+$/, ''));
  }
}
