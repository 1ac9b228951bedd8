import { expect, test } from 'vitest';
import { z } from 'zod';
import { secret, text } from './text.ts';

const name = text({ required: 'Say it', max: [5, 'Too long'], oneLine: 'One line' });
const story = text({ max: [5, 'Too long'] });
const password = secret({ min: [3, 'Too short'], max: [5, 'Too long'] });
const complaint = (schema: z.ZodType, value: string) => schema.safeParse(value).error?.issues[0]?.message;

test('a text is trimmed, unless its spaces are part of it', () => {
  expect(name.parse('  Ada ')).toBe('Ada');
  expect(text({ max: [9, 'Too long'], untrimmed: true }).parse(' Ada ')).toBe(' Ada ');
});

test.each([
  ['', 'Say it'],
  [' \t ', 'Say it'],
  ['123456', 'Too long'],
  ['a\nb', 'One line'],
  ['a\u0085b', 'One line'],
  ['a\ud800', 'One line'],
])('the name %j is refused: %s', (value, message) => {
  expect(complaint(name, value)).toBe(message);
});

test.each(['a\0', '\udc00a'])('the text %j can not be stored', (value) => {
  expect(complaint(story, value)).toBe('not-storable');
});

test('lines and an empty text are fine by default', () => {
  expect(story.parse('a\nb')).toBe('a\nb');
  expect(story.parse('')).toBe('');
});

test('characters are counted as JSON Schema does, not in halves of surrogate pairs', () => {
  expect(complaint(name, '\u{1F600}'.repeat(5))).toBeUndefined();
  expect(complaint(name, '\u{1F600}'.repeat(6))).toBe('Too long');
  expect(complaint(password, '\u{1F600}'.repeat(2))).toBe('Too short');
  expect(complaint(password, '\u{1F600}'.repeat(3))).toBeUndefined();
  expect(complaint(password, '\u{1F600}'.repeat(5))).toBeUndefined();
  expect(complaint(password, '\u{1F600}'.repeat(6))).toBe('Too long');
});

test.each(['a', 'a b', '\u{1F600}', ' ', '', 'a\nb', 'a\0', '123456'])(
  'what the OpenAPI document says of %j is what is done with it',
  (value) => {
    for (const schema of [name, story]) {
      const { pattern = '', minLength = 0, maxLength = 0 } = z.toJSONSchema(schema, { io: 'input' });
      const { length } = [...value];
      const fits = length >= minLength && length <= maxLength && new RegExp(pattern, 'u').test(value);
      expect(schema.safeParse(value).success).toBe(fits);
    }
  },
);
