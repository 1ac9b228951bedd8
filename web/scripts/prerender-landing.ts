import { readFile, writeFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';

/**
 * Puts the landing page's HTML and its styles into dist/landing.html, so that it can be read before any script
 * or style sheet has arrived. `serverBundle` is the built module that exports `renderLanding`.
 */
export async function prerenderLanding(dist: string, serverBundle: string): Promise<void> {
  const file = `${dist}/landing.html`;
  const { renderLanding } = await import(pathToFileURL(serverBundle).href);
  const page = await inlineStyles(await readFile(file, 'utf8'), dist);
  const filled = page.replace('<div id="root"></div>', () => `<div id="root">${renderLanding()}</div>`);
  if (filled === page) throw new Error(`${file} has no empty #root to fill`);
  await writeFile(file, filled);
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
