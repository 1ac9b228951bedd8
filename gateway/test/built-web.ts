import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';

export const INLINE_SCRIPT = "document.documentElement.dataset.theme = 'dark';\n";
export const INLINE_STYLE = 'body{margin:0}';
export const ASSET = `export const answer = ${'4'.repeat(500)};`;

/** A folder as the web build leaves it: pages, hashed assets, compressed copies next to them. */
export function builtWeb(): { root: string; remove: () => void } {
  const root = mkdtempSync(path.join(tmpdir(), 'casewatch-web-'));
  const page = (body: string) =>
    `<!doctype html><html><head><script>${INLINE_SCRIPT}</script><style>${INLINE_STYLE}</style>` +
    `<script type="module" src="/assets/app-1a2b.js"></script></head><body>${body}</body></html>`;
  const policyFrame = (language: string) =>
    `<html lang="${language}"><head><title>| Casewatch</title></head><body><article></article></body></html>`;
  const files: Record<string, string> = {
    'index.html': page('the app'),
    'landing.html': page('the landing page'),
    'landing.es.html': page('the Spanish landing page'),
    'browsers.html': page('the page about browsers'),
    'browsers.es.html': page('the Spanish page about browsers'),
    'guide.html': page('the status guide'),
    'guide.es.html': page('the Spanish status guide'),
    'policy.html': policyFrame('en'),
    'policy.es.html': policyFrame('es'),
    'policies/terms.md': '# Terms\n\nOf {{OPERATOR_NAME}}, {{OPERATOR_EMAIL}}.\n',
    'policies/terms.es.md': '# Términos\n\nDe {{OPERATOR_NAME}}.\n',
    'policies/privacy.md': '# Privacy\n\n{{LOG_ROW_MONTHS}} months.\n',
    'policies/privacy.es.md': '# Privacidad\n\n{{LOG_ROW_MONTHS}} meses.\n',
    'robots.txt': 'User-agent: *\n',
    'sw.js': 'self.skipWaiting();',
    'manifest.webmanifest': '{}',
    'favicon.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
    'assets/app-1a2b.js': ASSET,
    'assets/app-1a2b.css': 'body{}',
  };
  for (const folder of ['assets', 'policies']) mkdirSync(path.join(root, folder));
  for (const [name, text] of Object.entries(files)) {
    writeFileSync(path.join(root, name), text);
    if (name === 'favicon.svg') continue;
    writeFileSync(path.join(root, `${name}.br`), brotliCompressSync(text));
    writeFileSync(path.join(root, `${name}.gz`), gzipSync(text));
  }
  writeFileSync(path.join(root, '.secret'), 'secret');
  return { root, remove: () => rmSync(root, { recursive: true, force: true }) };
}
