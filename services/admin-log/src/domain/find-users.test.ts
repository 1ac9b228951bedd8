import { expect, test } from 'vitest';
import { withFoundUsers } from './find-users.ts';

/** Identity that finds these users, and what it was asked. */
function identity(userIds: string[], isComplete = true) {
  const asked: unknown[] = [];
  const services: Parameters<typeof withFoundUsers>[0] = {
    call: async (_contract, input) => {
      asked.push(input);
      return { userIds, isComplete } as never;
    },
  };
  return { asked, services };
}

test('users are looked up by a text of three characters or more', async () => {
  const { asked, services } = identity(['u1', 'u2']);
  const filter = { nameStart: 'gar', success: false };
  expect(await withFoundUsers(services, filter)).toEqual({ ...filter, alsoUserIds: ['u1', 'u2'] });
  expect(asked).toEqual([{ body: { start: 'gar' } }]);
});

test.each([{ nameStart: 'ga' }, {}])('no users are looked up for %j', async (filter) => {
  const { asked, services } = identity(['u1']);
  expect(await withFoundUsers(services, filter)).toBe(filter);
  expect(asked).toEqual([]);
});

test('a text that no name begins with is searched in first names alone', async () => {
  const filter = { nameStart: 'gar' };
  expect(await withFoundUsers(identity([]).services, filter)).toBe(filter);
});

test('a text that too many names begin with is refused', async () => {
  await expect(withFoundUsers(identity(['u1'], false).services, { nameStart: 'gar' })).rejects.toMatchObject({
    code: 'VALIDATION',
  });
});
