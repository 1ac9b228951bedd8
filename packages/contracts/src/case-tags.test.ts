import { expect, test } from 'vitest';
import { caseTags } from './case-tags.ts';

test('of tags that differ only in case the first spelling stays', () => {
  expect(caseTags.parse([' Work', 'Home', 'work ', 'HOME'])).toEqual(['Work', 'Home']);
});

test.each([
  ['José', 'José'.normalize('NFD')],
  ['Familia', 'FAMILIA'],
  ['H-1B team', ' H-1B \u00a0 team '],
  ['Family', 'Ｆａｍｉｌｙ'],
  ['ÁRBOL 家', 'árbol 家'.normalize('NFD')],
  ['한국', '한국'.normalize('NFD')],
])('the tags %j and %j are one', (first, other) => {
  expect(caseTags.parse([first, other])).toEqual([first]);
});

test.each(['Mom\u200b', 'Mo\ufeffm', 'M\u2060om'])(
  'a tag with a character that has no width is refused: %j',
  (tag) => {
    expect(caseTags.safeParse([tag]).error?.issues[0]?.message).toBe('tag-invisible');
  },
);

test('a tag is stored as most keyboards write it', () => {
  expect(caseTags.parse(['  Nguyễn   Minh '.normalize('NFD')])).toEqual(['Nguyễn Minh']);
});

test('tags are counted before those that repeat are left out', () => {
  const tags = Array.from({ length: 10 }, (_, nth) => `Tag ${nth}`);
  expect(caseTags.parse(tags)).toEqual(tags);
  expect(caseTags.safeParse([...tags, 'tag 0']).error?.issues[0]?.message).toBe('tags-max');
});
