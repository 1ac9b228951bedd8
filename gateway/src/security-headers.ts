import { hash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { isHttps } from '@casewatch/service-kit/http/session-cookie';
import { type ExtraSources, STRIPE_SOURCES } from './payment-sources.ts';
import { POLICY_REPORTS_GROUP, POLICY_REPORTS_PATH } from './policy-reports.ts';

type Header = readonly [name: string, value: string];

export interface SecurityHeadersOptions {
  publicUrl: string;
  /** The HTML pages served, whose inline scripts and styles are allowed by their hash. */
  pages: readonly string[];
  extraSources?: ExtraSources | undefined;
}

export interface SecurityHeaders {
  /** Returns the headers of an API answer, which nothing may show or embed, as pairs one after another. */
  forData(requestId: string): string[];
  /** Sets the headers of an answer: of data as above, or of a page and what it loads. */
  set(res: ServerResponse, requestId: string, kind: 'data' | 'page'): void;
  /** Their lower-case names: no service behind the gateway may change them. */
  readonly names: ReadonlySet<string>;
}

const REQUEST_ID = 'X-Request-Id';
const ONE_YEAR_SECONDS = 31_536_000;
const DATA_POLICY = "default-src 'none'; frame-ancestors 'none'";

/** What only a document can make use of. */
const PAGE_HEADERS: readonly Header[] = [
  ['X-Frame-Options', 'DENY'],
  [
    'Permissions-Policy',
    `camera=(), geolocation=(), microphone=(), payment=(self ${STRIPE_SOURCES.script.map((source) => `"${source}"`).join(' ')})`,
  ],
  // Windows of wallets and banks report back to the page that opened them.
  ['Cross-Origin-Opener-Policy', 'same-origin-allow-popups'],
  ['Reporting-Endpoints', `${POLICY_REPORTS_GROUP}="${POLICY_REPORTS_PATH}"`],
];

/** Creates the headers of every answer (reliability promise S1), put together once. */
export function createSecurityHeaders(options: SecurityHeadersOptions): SecurityHeaders {
  const common = commonHeaders(isHttps(options.publicUrl));
  const page: Header[] = [['Content-Security-Policy', pagePolicy(options)], ...common, ...PAGE_HEADERS];
  const data: Header[] = [['Content-Security-Policy', DATA_POLICY], ...common];
  const dataPairs = data.flat();
  return {
    forData: (requestId) => [REQUEST_ID, requestId, ...dataPairs],
    set: (res, requestId, kind) => {
      res.setHeader(REQUEST_ID, requestId);
      for (const [name, value] of kind === 'page' ? page : data) res.setHeader(name, value);
    },
    names: new Set([REQUEST_ID, ...page.map(([name]) => name)].map((name) => name.toLowerCase())),
  };
}

function commonHeaders(https: boolean): Header[] {
  const headers: Header[] = [
    ['X-Content-Type-Options', 'nosniff'],
    ['Referrer-Policy', 'strict-origin-when-cross-origin'],
    ['Cross-Origin-Resource-Policy', 'same-origin'],
  ];
  // Without includeSubDomains: the other hosts of the domain are not ours to decide about.
  if (https) headers.push(['Strict-Transport-Security', `max-age=${ONE_YEAR_SECONDS}`]);
  return headers;
}

function pagePolicy({ publicUrl, pages, extraSources = {} }: SecurityHeadersOptions): string {
  const scripts = pages.flatMap((page) => inlineHashes(page, 'script'));
  const styles = pages.flatMap((page) => inlineHashes(page, 'style'));
  const directives: [string, readonly string[]][] = [
    ['default-src', ["'none'"]],
    ['script-src', ["'self'", ...STRIPE_SOURCES.script, ...(extraSources.script ?? []), ...new Set(scripts)]],
    ['style-src', ["'self'", ...new Set(styles)]],
    ['img-src', ["'self'", 'data:']],
    ['font-src', ["'self'"]],
    ['manifest-src', ["'self'"]],
    ['connect-src', ["'self'", ...STRIPE_SOURCES.connect, ...(extraSources.connect ?? [])]],
    ['frame-src', [...STRIPE_SOURCES.frame, ...(extraSources.frame ?? [])]],
    ['object-src', ["'none'"]],
    ['base-uri', ["'none'"]],
    ['form-action', ["'self'"]],
    ['frame-ancestors', ["'none'"]],
    ['report-to', [POLICY_REPORTS_GROUP]],
    // For browsers that do not know `report-to`.
    ['report-uri', [POLICY_REPORTS_PATH]],
    ...(isHttps(publicUrl) ? [['upgrade-insecure-requests', []] as [string, string[]]] : []),
  ];
  return directives.map(([name, sources]) => [name, ...sources].join(' ')).join('; ');
}

/** CSP hash sources of the inline elements of a page (CSP Level 3, 6.7.3.3): over the exact text between the tags. */
function inlineHashes(page: string, element: 'script' | 'style'): string[] {
  const pattern = new RegExp(`<${element}([^>]*)>([\\s\\S]*?)</${element}>`, 'gi');
  return [...page.matchAll(pattern)]
    .filter(([, attributes = '', text = '']) => text !== '' && !/\ssrc\s*=/i.test(attributes))
    .map(([, , text = '']) => `'sha256-${hash('sha256', text, 'base64')}'`);
}
