import { routes } from '@casewatch/contracts/routes';
import { Validator } from '@seriousme/openapi-schema-validator';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Harness, startGateway } from './gateway-harness.ts';

let h: Harness;
beforeAll(async () => {
  h = await startGateway();
});
afterAll(() => h.stop());

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
