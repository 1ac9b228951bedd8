import { brotliDecompressSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { withSupportContact } from '../src/web/support-contact.ts';
import { readWebFiles } from '../src/web/web-files.ts';
import { builtWeb } from './built-web.ts';

const web = builtWeb();
let files: ReturnType<typeof readWebFiles>;
beforeAll(() => {
  files = readWebFiles(web.root);
});
afterAll(() => web.remove());

const page = (contact: Parameters<typeof withSupportContact>[1], path = '/landing.html') =>
  withSupportContact(files, contact).get(path) ?? expect.fail(`no ${path}`);

test('every page says where support is, in each of its forms and under a tag of its own', () => {
  const contact = { email: 'help@example.com', url: 'https://example.com/help?a=1&b="x"' };
  for (const path of ['/index.html', '/landing.html']) {
    const file = page(contact, path);
    const text = String(file.plain.content);
    expect(text).toContain(
      '<html data-support="" data-support-email="help@example.com" data-support-url="https://example.com/help?a=1&amp;b=&quot;x&quot;">',
    );
    expect(file.br && String(brotliDecompressSync(file.br.content))).toBe(text);
    expect(file.plain.etag).not.toBe(files.get(path)?.plain.etag);
  }
  expect(page(contact, '/assets/app-1a2b.js')).toBe(files.get('/assets/app-1a2b.js'));
});

test('without a contact the pages stay as they were built', () => {
  expect(withSupportContact(files, {})).toBe(files);
  expect(String(page({}).plain.content)).not.toContain('data-support');
});
