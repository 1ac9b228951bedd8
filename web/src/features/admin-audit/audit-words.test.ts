import { expect, it } from 'vitest';
import { actionWords, roleWords } from './audit-words.ts';

it.each([
  ['session.refused', 'Sign-in refused'],
  ['administrator.invitation-renewed', 'Invitation renewed'],
  ['password.was-changed', 'Password was changed'],
  ['', ''],
])('the action %j reads %j', (action, words) => expect(actionWords(action)).toBe(words));

it('roles read as words, and one that is not known as it is', () => {
  expect([roleWords('survey-editor'), roleWords('janitor')]).toEqual(['Survey editor', 'janitor']);
});
