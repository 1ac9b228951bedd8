import type { StatusPush } from '@casewatch/contracts/push-message';
import { expect, test } from 'vitest';
import { pushWords, unreadableWords } from './push-words.ts';

const PUSH: StatusPush = {
  kind: 'status',
  id: 'id',
  tag: 'tag',
  at: 0,
  path: '/notifications/id',
  language: 'en',
  name: 'Green card',
  oldStatus: 'Case Was Received',
  newStatus: 'Case Was Approved',
  means: 'You can become a citizen by taking the oath.',
};

test('a message says which case, its new and its old status, and what that means', () => {
  const { title, body } = pushWords(PUSH);
  expect(title).toBe('Green card: Case Was Approved');
  expect(body).toBe('Was: Case Was Received\nYou can become a citizen by taking the oath.');
});

test('of a status that needs action the next step comes first, in either language', () => {
  const push = {
    ...PUSH,
    newStatus: 'Case Was Denied',
    means: 'USCIS said no.',
    todo: 'Read the notice now.',
  };
  expect(pushWords(push).body).toBe(
    'Next step: Read the notice now.\nWas: Case Was Received\nUSCIS said no.',
  );
  expect(pushWords({ ...push, language: 'es', todo: 'Lea el aviso ya.' }).body).toMatch(
    /^Próximo paso: Lea el aviso ya\.\n/,
  );
});

test('a message in Spanish has Spanish words around it', () => {
  const { title, body } = pushWords({
    ...PUSH,
    language: 'es',
    name: '',
    newStatus: 'El caso fue aprobado',
    oldStatus: 'El caso fue recibido',
    means: '',
    receiptNumber: 'EAC9999103403',
  });
  expect(title).toBe('Su caso: El caso fue aprobado');
  expect(body).toBe('Antes: El caso fue recibido\nNúmero de recibo EAC9999103403');
});

test('a message that can not be read is announced in either language', () => {
  expect(unreadableWords('en').body).toBe('There is news about your cases.');
  expect(unreadableWords('es').body).toBe('Hay novedades sobre sus casos.');
});

test('a receipt number is shown where there is one', () => {
  expect(pushWords({ ...PUSH, receiptNumber: 'EAC9999103403' }).body).toContain(
    'Receipt number EAC9999103403',
  );
  expect(pushWords(PUSH).body).not.toContain('Receipt number');
});

test('a first status of a case without a name, with an unknown title, is shown in the agency’s words alone', () => {
  const push = { ...PUSH, name: '', oldStatus: null, newStatus: 'Your Horoscope Was Consulted', means: '' };
  expect(pushWords(push)).toEqual({ title: 'Your case: Your Horoscope Was Consulted', body: '' });
});

test('a message about the plan has its own words', () => {
  const push = {
    kind: 'plan',
    id: 'id',
    tag: 't',
    at: 0,
    path: '/upgrade',
    language: 'en',
    title: 'Pro has ended',
    text: 'See why.',
  } as const;
  expect(pushWords(push)).toEqual({ title: 'Pro has ended', body: 'See why.' });
});
