import { expect, it } from 'vitest';
import { actionsCalled, actionWords } from './audit-actions.ts';

it.each([
  ['session.refused', 'Sign-in refused'],
  ['administrator.invitation-renewed', 'Invitation renewed'],
  ['password.was-changed', 'Password was changed'],
  ['', ''],
])('the action %j reads %j', (action, words) => expect(actionWords(action)).toBe(words));

it.each([
  ['signed', ['session.opened', 'session.closed']],
  ['AUDIT trail exp', ['audit.exported']],
  ['exported', ['logs.exported', 'audit.exported', 'survey.exported']],
  [' Question ', ['question.created', 'question.changed', 'question.deleted']],
  ['session.opened', []],
  ['janitor', []],
  ['igned', []],
])('%j finds the actions %j', (words, actions) => expect(actionsCalled(words)).toEqual(actions));
