import { describe, expect, it, test } from 'vitest';
import { CODE_TEXTS, FACT_TEXTS, REASON_TEXTS } from './answer-texts.ts';
import { FIELD_TEXTS } from './field-texts.ts';
import { routes } from './routes.ts';
import { serverText } from './server-text.ts';

const ALL = Object.entries({ ...CODE_TEXTS, ...REASON_TEXTS, ...FIELD_TEXTS, ...FACT_TEXTS });
const namesIn = (text: string) => (text.match(/\{\w+\}/g) ?? []).toSorted();

describe('the texts of the server', () => {
  it('say the same of a case in every language: the same values and the same numbers', () => {
    for (const [key, { en, es }] of ALL) {
      expect(namesIn(es), key).toEqual(namesIn(en));
      if (key !== 'UNSUPPORTED_MEDIA_TYPE') expect(es.match(/\d+/g), key).toEqual(en.match(/\d+/g));
    }
  });

  it('are Spanish in Spanish', () => {
    const english = ALL.filter(([, { es }]) => /\b(?:the|your|please|try again|is not)\b/i.test(es));
    expect(english).toEqual([]);
  });

  it('need no values where only the code is known, as an older server or client does', () => {
    expect(Object.values(CODE_TEXTS).flatMap(({ en }) => namesIn(en))).toEqual([]);
  });

  it('are the messages of the schemas of users, but for what only developers meet', () => {
    const sentences = schemaTexts().filter((text) => text.includes(' '));
    expect(sentences.filter((text) => !FOR_DEVELOPERS.test(text))).toEqual([]);
    expect(schemaTexts()).toContain('first-name-required');
  });
});

test.each([
  [0, '1 minute', '1 minuto'],
  [60, '1 minute', '1 minuto'],
  [61, '2 minutes', '2 minutos'],
  [7_140, '119 minutes', '119 minutos'],
  [7_141, '2 hours', '2 horas'],
  [79_000, '22 hours', '22 horas'],
])('who has to wait %i seconds reads %s, or %s', (seconds, en, es) => {
  const text = { code: 'RATE_LIMITED', messageKey: 'too-many-passwords', values: { seconds } };
  expect(serverText('en', text)).toBe(`Too many wrong passwords. Please try again in ${en}.`);
  expect(serverText('es', text)).toBe(`Demasiadas contraseñas incorrectas. Inténtelo de nuevo en ${es}.`);
});

test('keeps a value as it is', () => {
  const text = { code: 'OTHER', messageKey: 'office-other', values: { prefix: '$& {wait}' } };
  expect(serverText('es', text)).toBe('Otro ($& {wait})');
});

test('says of an unknown key what its code means, and nothing of an unknown code', () => {
  expect(serverText('es', { code: 'NOT_FOUND', messageKey: 'something-new' })).toBe(CODE_TEXTS.NOT_FOUND.es);
  expect(serverText('es', { code: 'NOT_FOUND' })).toBe(CODE_TEXTS.NOT_FOUND.es);
  expect(serverText('es', { code: 'NEW_CODE', messageKey: 'toString' })).toBeUndefined();
  expect(serverText('es', {})).toBeUndefined();
});

/** What the forms of the web app can't send. */
const FOR_DEVELOPERS =
  /base64url|https URL|^Choose (?:at least|up to|what to change)|^This \w+(?: \w+)? is not valid|^(?:search|status|form|tag) must be at most /;

/** What the contracts for users say of wrong input. */
function schemaTexts(): string[] {
  const texts = new Set<string>();
  const seen = new Set<unknown>();
  const walk = (value: unknown): void => {
    if (typeof value !== 'object' || value === null || seen.has(value)) return;
    seen.add(value);
    if ('error' in value && typeof value.error === 'function') {
      const text: unknown = value.error({ input: undefined, code: 'custom' });
      if (typeof text === 'string') texts.add(text);
    }
    for (const part of '_zod' in value ? [definitionOf(value._zod)] : Object.values(value)) walk(part);
  };
  for (const { access, path, body, params, query } of routes) {
    if ((access === 'user' || access === 'public') && !path.startsWith('/api/admin'))
      walk([body, params, query]);
  }
  return [...texts].toSorted();
}

function definitionOf(internals: unknown): object {
  const isObject = typeof internals === 'object' && internals !== null && 'def' in internals;
  return isObject && typeof internals.def === 'object' && internals.def !== null ? internals.def : {};
}
