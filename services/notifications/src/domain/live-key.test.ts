import { expect, test } from 'vitest';
import { casesKey, readLiveKey, usersOf } from './live-key.ts';

test('a key says whose notifications are new, or whose saved cases were changed', () => {
  expect(readLiveKey('ada')).toEqual({ userId: 'ada', isAboutCases: false });
  expect(readLiveKey(casesKey('ada'))).toEqual({ userId: 'ada', isAboutCases: true });
  expect(casesKey('ada')).toBe('cases ada');
});

test('a user with several changes is named once', () => {
  expect(usersOf([{ userId: 'ada' }, { userId: 'bob' }, { userId: 'ada' }])).toEqual(['ada', 'bob']);
});
