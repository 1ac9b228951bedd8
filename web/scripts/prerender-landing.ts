import { readFile, writeFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { LANGUAGES, type Language } from '@casewatch/contracts/languages';
import type { RenderedLanding } from '../src/features/landing/live-texts.ts';
import { initialFiles, type Manifest } from './initial-load.ts';

interface ServerBundle {
  renderLanding: (language: Language) => RenderedLanding;
}

/**
 * Makes dist/landing.html and one such page per further language (`landing.es.html`), with the page's HTML, its styles and
 * what its script needs, so that it can be read before any script or style sheet has arrived. `serverBundle` is the built
 * module that exports `renderLanding`.
 */
export async function prerenderLanding(dist: string, serverBundle: string): Promise<void> {
  const { renderLanding }: ServerBundle = await import(pathToFileURL(serverBundle).href);
  const manifest: Manifest = JSON.parse(await readFile(`${dist}/.vite/manifest.json`, 'utf8'));
  const page = await inlineStyles(await readFile(`${dist}/landing.html`, 'utf8'), dist);
  for (const language of LANGUAGES) {
    const file = language === 'en' ? 'landing.html' : `landing.${language}.html`;
    await writeFile(
      `${dist}/${file}`,
      fill(page, language, renderLanding(language), signIn(manifest, language)),
    );
  }
}

/** The files that the sign-in screen will load. */
function signIn(manifest: Manifest, language: Language): string[] {
  const modules = ['index.html', 'src/features/auth/auth-page.tsx', `src/i18n/catalog-${language}.ts`];
  return initialFiles(manifest, modules).map((file) => `/${file}`);
}

function fill(page: string, language: Language, rendered: RenderedLanding, prefetch: string[]): string {
  const { title, description, html, liveTexts } = rendered;
  const data = `data-texts="${escapeHtml(JSON.stringify(liveTexts))}" data-prefetch="${prefetch.join(' ')}"`;
  const parts: [pattern: RegExp, text: string][] = [
    [/(?<=<html lang=")en(?=")/, language],
    [/(?<=<title>).*(?=<\/title>)/, escapeHtml(title)],
    [/(?<=name="description"\s+content=").*?(?=")/, escapeHtml(description)],
    [/<div id="root"><\/div>/, `<div id="root" ${data}>${html}</div>`],
  ];
  return parts.reduce((filled, [pattern, text]) => {
    if (!pattern.test(filled)) throw new Error(`dist/landing.html has nothing like ${pattern}`);
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
