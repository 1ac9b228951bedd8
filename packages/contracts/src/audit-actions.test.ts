import { expect, it } from 'vitest';
import { actionsBeginning, actionWords } from './audit-actions.ts';

it.each([
  ['session.refused', 'Sign-in refused'],
  ['administrator.invitation-renewed', 'Invitation renewed'],
  ['password.was-changed', 'Password was changed'],
  ['', ''],
])('the action %j reads %j', (action, words) => expect(actionWords(action)).toBe(words));

it.each([
  ['signed', ['session.opened', 'session.closed']],
  ['AUDIT trail exp', ['audit.exported']],
  [' Question ', ['question.created', 'question.changed', 'question.deleted']],
  ['session.opened', []],
  ['janitor', []],
])('%j is how people would begin to call %j', (words, actions) =>
  expect(actionsBeginning(words)).toEqual(actions),
);
