import fc from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { text } from './text.ts';
import { visiblePattern } from './visible-text.ts';

const name = text({
  required: 'Say it',
  max: [100, 'Too long'],
  oneLine: 'One line',
  invisible: 'Not visible',
});
const complaint = (value: string) => name.safeParse(value).error?.issues[0]?.message;
const codePoint = (code: number) => String.fromCodePoint(code);
const SURROGATES = { first: 0xd800, last: 0xdfff };
const allCodePoints = Array.from({ length: 0x110000 }, (_, code) => code).filter(
  (code) => code < SURROGATES.first || code > SURROGATES.last,
);

test.each([
  ['a right-to-left override', 'Ada\u202eecalevoL'],
  ['an isolate', 'Ada\u2066x\u2069'],
  ['a right-to-left mark', 'Ada\u200f'],
  ['a zero-width space', 'A\u200bda'],
  ['a word joiner', 'A\u2060da'],
  ['a byte order mark', 'A\ufeffda'],
  ['a soft hyphen', 'A\u00adda'],
  ['a joiner between Latin letters', 'A\u200dda'],
  ['a non-joiner at the end', 'نمی\u200c'],
  ['a joiner at the beginning', '\u200dAda'],
  ['two joiners in a row', 'نمی\u200c\u200cدانم'],
  ['a variation selector after a Latin letter', 'Ada\ufe0f'],
  ['a tag', 'Ada\u{e0041}'],
  ['a Hangul filler', '\u3164'],
  ['the blank of Braille', '\u2800'],
  ['a line separator', 'A\u2028da'],
])('a name with %s is refused', (_, value) => {
  expect(complaint(value)).toBe('Not visible');
});

test.each([
  'Zoë',
  'Zoë'.normalize('NFD'),
  'Nguyễn Thị Minh',
  'Nguyễn Thị Minh'.normalize('NFD'),
  'O’Brien-Smith',
  'محمد',
  'مُحَمَّد',
  'نمی\u200cدانم',
  'אַבְרָהָם',
  'क\u094d\u200dष',
  'ක\u0dca\u200dරිෂ\u0dcaණ',
  'രാജന\u0d4d\u200d',
  'বাংলা',
  'தமிழ்',
  'ဇော်ဇော်',
  'សុខា',
  'ᠮᠣᠩᠭᠣᠯ',
  'ᠨᠠ\u180eᠨ',
  '葛\u{e0100}城',
  '김철수',
  'ʻOkina',
  'Mom ❤\ufe0f',
  '👩🏽\u200d💻 job',
  '👨\u200d👩\u200d👧',
  '1\ufe0f\u20e3 first',
  'I-485 (mom), #2',
])('the legitimate name %j is taken as it is', (value) => {
  expect(name.parse(value)).toBe(value);
});

test('every code point that Unicode calls ignorable or a direction is refused on its own', () => {
  const unseen = /[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\p{Zl}\p{Zp}]/u;
  const passed = allCodePoints.map(codePoint).filter((char) => unseen.test(char) && !complaint(`a${char}b`));
  expect(passed).toEqual([]);
});

test('no visible character is refused', () => {
  const visible = /[\p{L}\p{M}\p{N}\p{P}\p{S}\p{Zs}]/u;
  const ignorable = /[\p{Default_Ignorable_Code_Point}\u2800]/u;
  const refused = allCodePoints
    .map(codePoint)
    .filter((char) => visible.test(char) && !ignorable.test(char) && complaint(`a${char}b`));
  expect(refused).toEqual([]);
});

test('the OpenAPI document refuses no text that is accepted, and says what else is not', () => {
  const { pattern = '', description } = z.toJSONSchema(name, { io: 'input' });
  expect(description).toContain('invisible characters');
  const documented = new RegExp(pattern, 'u');
  const tricky = fc.constantFrom(
    ...[
      'a',
      ' ',
      '\u200c',
      '\u200d',
      '\u200b',
      'م',
      'क',
      '\u094d',
      '葛',
      '\u{e0100}',
      '❤',
      '\ufe0f',
      '1',
      'ᠨ',
      '\u180e',
    ],
    ...['\u202e', '\n', '😀'],
  );
  const anyCharacter = fc
    .nat({ max: allCodePoints.length - 1 })
    .map((nth) => codePoint(allCodePoints[nth] ?? 0));
  fc.assert(
    fc.property(fc.array(fc.oneof(tricky, anyCharacter), { maxLength: 12 }), (chars) => {
      const value = chars.join('').trim();
      if (name.safeParse(value).success)
        expect(documented.test(value) && [...value].length <= 100).toBe(true);
    }),
    { numRuns: 1_000 },
  );
});

test('two names that are taken differ also without their invisible characters, but for joiners and forms', () => {
  const tricky = fc.constantFrom(
    'a',
    'b',
    '\u200b',
    '\u200c',
    '\u200d',
    '\u202e',
    '\u2060',
    '\ufe0f',
    '\u00ad',
    '\ufeff',
  );
  fc.assert(
    fc.property(fc.array(tricky, { minLength: 1, maxLength: 8 }), (chars) => {
      const value = chars.join('').trim();
      fc.pre(name.safeParse(value).success);
      expect(value).toMatch(/^[ab]+$/);
    }),
  );
});

test.each([
  ['letters', 'a'],
  ['viramas with joiners', '\u094d\u200d'],
  ['joined letters', 'م\u200c'],
  ['emoji', '👩\u200d'],
  ['spaces', ' '],
])('%s that do not fit are refused in time that grows with their number', (_, unit) => {
  const pattern = new RegExp(visiblePattern('\\u0000-\\u001f'), 'u');
  const microsecondsFor = (length: number) => {
    const value = `${unit.repeat(length)}\u200b`;
    const runs = Array.from({ length: 3 }, () => {
      const before = process.threadCpuUsage();
      expect(pattern.test(value)).toBe(false);
      const { user, system } = process.threadCpuUsage(before);
      return user + system;
    });
    return Math.min(...runs);
  };
  microsecondsFor(1_000);
  // Ten times the length; a pattern that goes back and forth would take a hundred times as long, or for ever.
  expect(microsecondsFor(100_000)).toBeLessThan(Math.max(2_000, microsecondsFor(10_000)) * 40);
});
