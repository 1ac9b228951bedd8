import { readFileSync } from 'node:fs';
import type { Answer } from '../http/reply.ts';

const FOLDER = new URL('../../browser/', import.meta.url);
const SCRIPT = 'text/javascript; charset=utf-8';
const ASSETS: ReadonlyMap<string, string> = new Map([
  ['payment-element.js', SCRIPT],
  ['card-fields.js', SCRIPT],
  ['authenticate.js', SCRIPT],
  ['pages.css', 'text/css; charset=utf-8'],
]);

/** What the simulator's pages load; undefined for any other name. */
export function pageAsset(name: string): Answer | undefined {
  const type = ASSETS.get(name);
  return type === undefined ? undefined : assetAnswer(name, type);
}

/** The script that a page of the product loads; it may come from any origin. */
export function browserScript(): Answer {
  return assetAnswer('stripe.js', SCRIPT);
}

function assetAnswer(name: string, type: string): Answer {
  return {
    status: 200,
    headers: {
      'Content-Type': type,
      'Cache-Control': 'no-cache',
      'Access-Control-Allow-Origin': '*',
      'Cross-Origin-Resource-Policy': 'cross-origin',
      'X-Content-Type-Options': 'nosniff',
    },
    body: readFileSync(new URL(name, FOLDER), 'utf8'),
  };
}
