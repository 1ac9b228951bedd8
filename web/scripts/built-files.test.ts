import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { precompress } from './precompress.ts';
import { prerenderPages } from './prerender-pages.ts';

let dist: string;
beforeEach(async () => {
  dist = await mkdtemp(`${tmpdir()}/casewatch-dist-`);
});
afterEach(() => rm(dist, { recursive: true }));

describe('prerenderPages', () => {
  const page = `<html lang="en"><head>
    <meta name="description"
      content="to be filled in" />
    <title>to be filled in</title>
    <link rel="stylesheet" crossorigin href="/page.css">
    <link rel="preload" as="font" href="/font.woff2">
  </head><body><div id="root"></div></body></html>`;
  const manifest = {
    'index.html': { file: 'assets/app.js', css: ['assets/app.css'] },
    'src/features/auth/auth-page.tsx': { file: 'assets/auth.js', imports: ['index.html'] },
    'src/i18n/catalog-en.ts': { file: 'assets/en.js' },
    'src/i18n/catalog-es.ts': { file: 'assets/es.js' },
  };

  beforeEach(async () => {
    await mkdir(`${dist}/.vite`);
    await writeFile(`${dist}/.vite/manifest.json`, JSON.stringify(manifest));
    await writeFile(`${dist}/page.css`, 'p { color: red }\n');
    await writeFile(
      `${dist}/render.mjs`,
      `const words = (language) => ({
        title: 'Title & ' + language,
        description: 'Description "' + language + '"',
        html: '<h1>$& costs $9</h1>',
      });
      export const pages = {
        landing: (language) => ({ ...words(language), liveTexts: { quote: '"$&"' } }),
        other: words,
      };`,
    );
  });

  it('puts the HTML, the styles and the texts of the script into a page per language, as they are', async () => {
    await writeFile(`${dist}/landing.html`, page);
    await writeFile(`${dist}/other.html`, page);
    await prerenderPages(dist, `${dist}/render.mjs`);
    const other = await readFile(`${dist}/other.es.html`, 'utf8');
    expect(other).toContain('<div id="root"><h1>$& costs $9</h1></div>');
    for (const [file, language] of [
      ['landing.html', 'en'],
      ['landing.es.html', 'es'],
    ]) {
      const made = await readFile(`${dist}/${file}`, 'utf8');
      expect(made).toContain(`<html lang="${language}">`);
      expect(made).toContain(`<title>Title &amp; ${language}</title>`);
      expect(made).toContain(`content="Description &quot;${language}&quot;"`);
      expect(made).toContain('data-texts="{&quot;quote&quot;:&quot;\\&quot;$&amp;\\&quot;&quot;}"');
      expect(made).toContain(
        `data-prefetch="/assets/app.js /assets/app.css /assets/auth.js /assets/${language}.js"><h1>$& costs $9</h1></div>`,
      );
      expect(made).toContain('<style>p { color: red }</style>');
      expect(made).not.toContain('stylesheet');
      expect(made).toContain('/font.woff2');
    }
  });

  it('refuses a page without an empty place for it', async () => {
    await writeFile(`${dist}/landing.html`, page.replace('id="root"', 'id="other"'));
    await expect(prerenderPages(dist, `${dist}/render.mjs`)).rejects.toThrow('root');
  });
});

describe('precompress', () => {
  it('puts a brotli and a gzip copy of the same text next to every text file, and none next to others', async () => {
    await writeFile(`${dist}/app.js`, 'let a = 1;');
    await writeFile(`${dist}/font.woff2`, 'binary');
    await precompress(dist);
    expect(brotliDecompressSync(await readFile(`${dist}/app.js.br`)).toString()).toBe('let a = 1;');
    expect(gunzipSync(await readFile(`${dist}/app.js.gz`)).toString()).toBe('let a = 1;');
    await expect(readFile(`${dist}/font.woff2.gz`)).rejects.toThrow('ENOENT');
  });
});

it('the page of the app says in English and Spanish what it needs, before any script runs', async () => {
  const page = await readFile(new URL('../index.html', import.meta.url), 'utf8');
  for (const help of [/<main class="start-help">.*?<\/main>/s, /<noscript>.*?<\/noscript>/s]) {
    const [text = ''] = help.exec(page) ?? [];
    expect(text).toMatch(/<p>\s*Casewatch/);
    expect(text).toMatch(/<p lang="es">\s*Casewatch/);
  }
});
