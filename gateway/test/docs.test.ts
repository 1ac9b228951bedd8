import type { JsonSchema } from '@casewatch/contracts/openapi-document';
import { routes } from '@casewatch/contracts/routes';
import { forThisFile } from '@casewatch/testing/for-this-file';
import { Validator } from '@seriousme/openapi-schema-validator';
import { expect, test } from 'vitest';
import { renderFields, renderType } from '../src/docs/schema-view.ts';
import { startGateway } from './gateway-harness.ts';

const h = await forThisFile(startGateway());

test('the document is valid OpenAPI 3.1', async () => {
  const answer = await h.send('GET', '/api/openapi.json');
  expect(answer.headers['content-type']).toMatch(/^application\/json/);
  const validator = new Validator();
  expect(await validator.validate(answer.json())).toEqual({ valid: true });
  expect(validator.version).toBe('3.1');
});

test('the page names every public route and no internal one', async () => {
  const { text, headers } = await h.send('GET', '/api/docs');
  expect(headers['content-type']).toBe('text/html; charset=utf-8');
  for (const { id, access } of routes) {
    expect(text.includes(`<section id="${id}">`), id).toBe(access !== 'internal');
  }
});

test('the page says of each route who may call it', async () => {
  const { text } = await h.send('GET', '/api/docs');
  const sectionOf = (id: string) => text.split(`<section id="${id}">`)[1]?.split('</section>')[0];
  const who = {
    public: 'Open to everyone.',
    user: 'Needs a signed-in user.',
    admin: 'Needs an open admin session.',
  };
  for (const { id, access } of routes) {
    if (access !== 'internal') expect(sectionOf(id)).toContain(who[access]);
  }
});

test.each<[JsonSchema, string]>([
  [{ type: 'string', minLength: 1, maxLength: 100 }, 'text, at least 1 character, at most 100 characters'],
  [{ type: 'string', minLength: 8, maxLength: 1 }, 'text, at least 8 characters, at most 1 character'],
  [{ type: 'string', minLength: 0, maxLength: 0 }, 'text, at most 0 characters'],
  [{ type: ['string', 'null'], format: 'date-time' }, 'text or null (date-time)'],
  [
    { type: 'array', items: { type: 'string', maxLength: 30 }, minItems: 1, maxItems: 10 },
    'list of text, at most 30 characters, at least 1 item, at most 10 items',
  ],
  [
    { type: 'array', items: { $ref: '#/components/schemas/Tag' }, minItems: 2, maxItems: 1 },
    'list of <a href="#schema-Tag">Tag</a>, at least 2 items, at most 1 item',
  ],
  [{ anyOf: [{ type: 'integer' }, { type: 'boolean' }, { type: 'null' }] }, 'integer or boolean or null'],
  [{ const: 7 }, '<code>7</code>'],
  [{ enum: [1, 2, 3, 4, 5, 6, 7, 8] }, [1, 2, 3, 4, 5, 6, 7, 8].map((n) => `<code>${n}</code>`).join(' | ')],
  [{ enum: [1, 2, 3, 4, 5, 6, 7, 8, 9] }, 'one of 9 values'],
  [{}, 'any value'],
])('%j reads: %s', (schema, words) => expect(renderType(schema).text).toBe(words));

test('fields are listed with what they hold, and those that may be left out say so', () => {
  const items: JsonSchema = {
    properties: { id: { type: 'integer', description: 'Its number.' } },
    required: ['id'],
  };
  const schema: JsonSchema = {
    properties: { name: { type: 'string' }, parts: { type: 'array', items } },
    required: ['parts'],
  };
  expect(renderFields(schema).text).toBe(
    '<dl><dt><code>name</code> text (optional)</dt><dd></dd>' +
      '<dt><code>parts</code> list of any value</dt>' +
      '<dd><dl><dt><code>id</code> integer</dt><dd>Its number.</dd></dl></dd></dl>',
  );
  expect(renderFields({ type: 'string' }).text).toBe('<p>text</p>');
});

test('every link of the page leads somewhere', async () => {
  const { text } = await h.send('GET', '/api/docs');
  const ids = new Set([...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));
  const targets = [...text.matchAll(/href="#([^"]+)"/g)].map(([, target]) => target);
  expect(targets.length).toBeGreaterThan(routes.length);
  expect(targets.filter((target) => !ids.has(target))).toEqual([]);
});

test('the page needs no script and no inline style, and its style sheet is there', async () => {
  const { text } = await h.send('GET', '/api/docs');
  expect(text).not.toMatch(/<script|<style|style=|onclick/);
  const sheet = /<link rel="stylesheet" href="([^"]+)">/.exec(text)?.[1];
  const style = await h.send('GET', String(sheet));
  expect([style.status, style.headers['content-type']]).toEqual([200, 'text/css; charset=utf-8']);
});

test('both themes of the page have AA contrast', async () => {
  const { text } = await h.send('GET', '/api/docs.css');
  const [light = '', dark = ''] = text.split('prefers-color-scheme: dark');
  for (const theme of [light, dark]) {
    const colour = (name: string) => new RegExp(`--${name}: #([0-9a-f]{6})`).exec(theme)?.[1] ?? '';
    for (const ink of ['ink', 'quiet', 'link', 'get', 'write', 'remove']) {
      for (const paper of ['paper', 'panel']) {
        expect(contrast(colour(ink), colour(paper)), `${ink} on ${paper}`).toBeGreaterThanOrEqual(4.5);
      }
    }
  }
});

test('an unchanged document is 304', async () => {
  const { headers } = await h.send('GET', '/api/openapi.json');
  const again = await h.send('GET', '/api/openapi.json', {
    headers: { 'if-none-match': String(headers.etag) },
  });
  expect(again.status).toBe(304);
  expect(headers['cache-control']).toBe('no-cache');
});

/** WCAG 2.2, relative luminance and contrast ratio. */
function contrast(one: string, two: string): number {
  const luminance = (hex: string) => {
    const [red = 0, green = 0, blue = 0] = [0, 2, 4].map((at) => {
      const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
      return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const [bright = 0, dim = 0] = [luminance(one), luminance(two)].sort((a, b) => b - a);
  return (bright + 0.05) / (dim + 0.05);
}
