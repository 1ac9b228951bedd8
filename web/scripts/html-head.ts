import { readFileSync } from 'node:fs';
import type { HtmlTagDescriptor, Plugin } from 'vite';

/**
 * Adds to the head of every page the script that sets the theme before the first paint, and the early request
 * for the font. The script stands inline and never changes between requests, so that it can be allowed by hash.
 */
export function htmlHead(): Plugin {
  return {
    name: 'casewatch:html-head',
    transformIndexHtml(_html, { bundle }) {
      const tags: HtmlTagDescriptor[] = [{ tag: 'script', children: themeBoot(), injectTo: 'head-prepend' }];
      const font = Object.keys(bundle ?? {}).find((file) => file.endsWith('.woff2'));
      if (font !== undefined) tags.push({ tag: 'link', attrs: preload(font), injectTo: 'head' });
      return tags;
    },
  };
}

function themeBoot(): string {
  const source = readFileSync(new URL('../src/features/theme/theme-boot.js', import.meta.url), 'utf8');
  const lines = source.split('\n').map((line) => line.trim());
  return lines.filter((line) => line !== '' && !line.startsWith('//')).join('\n');
}

function preload(file: string): Record<string, string | boolean> {
  return { rel: 'preload', as: 'font', type: 'font/woff2', href: `/${file}`, crossorigin: true };
}
