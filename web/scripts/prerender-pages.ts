import { readFile, writeFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { LANGUAGES, type Language } from '@casewatch/contracts/languages';
import type { RenderedPage } from '../src/features/landing/live-texts.ts';
import { initialFiles, type Manifest } from './initial-load.ts';

interface ServerBundle {
  pages: Record<string, (language: Language) => RenderedPage>;
}

/**
 * Makes each page that is rendered at build time, such as dist/landing.html, and the same per further language
 * (`landing.es.html`), with the page's HTML, its styles and what its script needs, so that it can be read before any script or
 * style sheet has arrived. `serverBundle` is the built module that exports `pages`.
 */
export async function prerenderPages(dist: string, serverBundle: string): Promise<void> {
  const { pages }: ServerBundle = await import(pathToFileURL(serverBundle).href);
  const manifest: Manifest = JSON.parse(await readFile(`${dist}/.vite/manifest.json`, 'utf8'));
  for (const [name, render] of Object.entries(pages)) {
    const page = await inlineStyles(await readFile(`${dist}/${name}.html`, 'utf8'), dist);
    for (const language of LANGUAGES) {
      const file = language === 'en' ? `${name}.html` : `${name}.${language}.html`;
      await writeFile(`${dist}/${file}`, fill(page, language, render(language), signIn(manifest, language)));
    }
  }
}

/** The files that the sign-in screen will load. */
function signIn(manifest: Manifest, language: Language): string[] {
  const modules = ['index.html', 'src/features/auth/auth-page.tsx', `src/i18n/catalog-${language}.ts`];
  return initialFiles(manifest, modules).map((file) => `/${file}`);
}

function fill(page: string, language: Language, rendered: RenderedPage, prefetch: string[]): string {
  const { title, description, html, liveTexts } = rendered;
  const data = liveTexts
    ? ` data-texts="${escapeHtml(JSON.stringify(liveTexts))}" data-prefetch="${prefetch.join(' ')}"`
    : '';
  const parts: [pattern: RegExp, text: string][] = [
    [/(?<=<html lang=")en(?=")/, language],
    [/(?<=<title>).*(?=<\/title>)/, escapeHtml(title)],
    [/(?<=name="description"\s+content=").*?(?=")/, escapeHtml(description)],
    [/<div id="root"><\/div>/, `<div id="root"${data}>${html}</div>`],
  ];
  return parts.reduce((filled, [pattern, text]) => {
    if (!pattern.test(filled)) throw new Error(`a page to be rendered has nothing like ${pattern}`);
    return filled.replace(pattern, () => text);
  }, page);
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}

async function inlineStyles(page: string, dist: string): Promise<string> {
  const links = [...page.matchAll(/[ \t]*<link rel="stylesheet"[^>]*href="([^"]+)"[^>]*>\n?/g)];
  let result = page;
  let styles = '';
  for (const [link, href] of links) {
    styles += (await readFile(`${dist}${href}`, 'utf8')).trim();
    result = result.replace(link, '');
  }
  return result.replace('</head>', () => `<style>${styles}</style>\n  </head>`);
}
