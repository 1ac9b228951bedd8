import { expect, test } from 'vitest';
import { toAdminAction } from './admin-action.ts';

const META = { id: 'evt_1', timeMs: 1_000 };
const event = { action: 'survey.changed', subject: 'survey:1', success: true, details: {} };
const long = (character: string) => character.repeat(2_001);
const cut = (character: string) => character.repeat(2_000);

test('what an event says of its actor is kept, and what it does not say is null', () => {
  expect(toAdminAction(event, META)).toEqual({
    ...event,
    id: 'evt_1',
    atMs: 1_000,
    actor: null,
    actorId: null,
    role: null,
    sessionId: null,
    address: null,
  });
  const actor = { actor: 'Grace', actorId: 'id', role: 'owner', sessionId: 'session' };
  expect(toAdminAction({ ...event, ...actor, address: '203.0.113.7' }, META)).toMatchObject({
    ...actor,
    address: '203.0.113.0/24',
  });
});

test('what one event can make the trail store is bounded', () => {
  const details = Object.fromEntries(
    Array.from({ length: 51 }, (_, nth) => [`name ${nth}`, nth === 0 ? long('d') : 'short']),
  );
  const action = toAdminAction(
    { action: long('a'), subject: long('s'), actor: long('g'), success: false, details },
    META,
  );
  expect(action).toMatchObject({ action: cut('a'), subject: cut('s'), actor: cut('g'), success: false });
  expect(Object.keys(action.details)).toHaveLength(50);
  expect(action.details).toMatchObject({ 'name 0': cut('d'), 'name 49': 'short' });
});

test('a name of a detail that PostgreSQL cannot store is replaced', () => {
  expect(toAdminAction({ ...event, details: { 'a\0': 'b' } }, META).details).toEqual({ 'a\ufffd': 'b' });
});
