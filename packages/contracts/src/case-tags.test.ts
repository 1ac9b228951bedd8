import { expect, test } from 'vitest';
import { caseTags } from './case-tags.ts';

test('of tags that differ only in case the first spelling stays', () => {
  expect(caseTags.parse([' Work', 'Home', 'work ', 'HOME'])).toEqual(['Work', 'Home']);
});

test('tags are counted before those that repeat are left out', () => {
  const tags = Array.from({ length: 10 }, (_, nth) => `Tag ${nth}`);
  expect(caseTags.parse(tags)).toEqual(tags);
  expect(caseTags.safeParse([...tags, 'tag 0']).error?.issues[0]?.message).toBe('tags-max');
});
