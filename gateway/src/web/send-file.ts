import { AppError } from '@casewatch/service-kit/errors/app-error';
import type { Request, Response } from 'express';
import type { WebFile } from './web-files.ts';

/** For files whose name changes with their content. */
export const IMMUTABLE = 'public, max-age=31536000, immutable';
/** Kept, and asked about with the ETag each time. */
export const REVALIDATE = 'no-cache';

/** Answers a GET or HEAD with the best form of a file the client takes, or 304 if it has it already. */
export function sendFile(req: Request, res: Response, file: WebFile, cacheControl: string): void {
  const encoding = preferredEncoding(req, file);
  const { content, etag } = (encoding && file[encoding]) || file.plain;
  if (file.br || file.gzip) res.vary('Accept-Encoding');
  res.set({ 'Content-Type': file.type, 'Cache-Control': cacheControl, ETag: etag });
  if (encoding) res.set('Content-Encoding', encoding);
  if (req.fresh) {
    res.removeHeader('Content-Type');
    res.removeHeader('Content-Encoding');
    res.status(304).end();
    return;
  }
  res.set('Content-Length', String(content.length));
  if (req.method === 'HEAD') res.end();
  else res.end(content);
}

/** @throws AppError METHOD_NOT_ALLOWED */
export function requireReading(req: Request, res: Response): void {
  if (req.method === 'GET' || req.method === 'HEAD') return;
  res.set('Allow', 'GET, HEAD');
  throw new AppError('METHOD_NOT_ALLOWED');
}

/** The form the client rates highest; among equals the smallest, which browsers name last (RFC 9110, 12.5.3). */
function preferredEncoding(req: Request, file: WebFile): 'br' | 'gzip' | undefined {
  const header = req.headers['accept-encoding'];
  if (!header) return undefined;
  const rated = new Map(header.split(',').map(rating));
  let best: 'br' | 'gzip' | undefined;
  let bestQuality = 0;
  for (const encoding of ['br', 'gzip'] as const) {
    const quality = rated.get(encoding) ?? rated.get('*') ?? 0;
    if (!file[encoding] || quality <= bestQuality) continue;
    best = encoding;
    bestQuality = quality;
  }
  return best;
}

function rating(part: string): [encoding: string, quality: number] {
  const [encoding = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
  const quality = parameters.find((parameter) => parameter.startsWith('q='));
  return [encoding, quality === undefined ? 1 : Number(quality.slice(2)) || 0];
}
