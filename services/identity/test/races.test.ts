import { createDatabasePool } from '@casewatch/service-kit/database/prisma-adapter';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { errorOf, type IdentityFixture, PASSWORD, startIdentity } from './identity-fixture.ts';

let identity: IdentityFixture;
beforeEach(async () => {
  identity = await startIdentity();
});
afterEach(() => identity.stop());

/** Sends `request` while another transaction has run `sql` and not committed; commits once the request waits for it. */
async function overtaking(sql: string, parameters: unknown[], request: () => Promise<Response>) {
  const { pool } = createDatabasePool({
    url: identity.database.urlFor('identity'),
    service: 'identity',
    maximum: 1,
    logger: pino({ level: 'silent' }),
  });
  const other = await pool.connect();
  try {
    await other.query('BEGIN');
    await other.query(sql, parameters);
    const answer = request();
    await expect.poll(waiting, { timeout: 5_000 }).toBe(1);
    await other.query('COMMIT');
    return await answer;
  } finally {
    other.release();
    await pool.end();
  }
}

async function waiting(): Promise<number> {
  const rows = await identity.database.query(
    "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
  );
  return rows.length;
}

test('a name change is told even when it only undoes one that comes in between', async () => {
  const { user } = await identity.signUp('name@example.org');
  await overtaking("UPDATE users SET first_name = 'Elsewhere' WHERE id = $1", [user.id], () =>
    identity.send('PATCH', '/api/auth/me', { as: user, body: { firstName: 'Ada' } }),
  );
  expect((await identity.published()).at(-1)).toMatchObject({
    name: 'user-changed',
    payload: { name: 'Ada Lovelace' },
  });
});

test('a password that is changed while it is being checked signs nobody in', async () => {
  const { user } = await identity.signUp('login@example.org');
  const answer = await overtaking("UPDATE users SET password_hash = 'new' WHERE id = $1", [user.id], () =>
    identity.logIn('login@example.org'),
  );
  expect(await errorOf(answer)).toMatchObject({ status: 401, code: 'INVALID_CREDENTIALS' });
  expect((await identity.published()).filter(({ name }) => name === 'user-logged-in')).toEqual([]);
});

test.each([
  ['POST', '/api/auth/email', { email: 'other@example.org', currentPassword: PASSWORD }],
  ['POST', '/api/auth/password', { currentPassword: PASSWORD, newPassword: 'another password' }],
  ['DELETE', '/api/auth/me', { currentPassword: PASSWORD }],
])(
  '%s %s with a password that is changed while it is being checked changes nothing',
  async (method, path, body) => {
    const { user } = await identity.signUp('mine@example.org');
    const answer = await overtaking("UPDATE users SET password_hash = 'new' WHERE id = $1", [user.id], () =>
      identity.send(method, path, { as: user, body }),
    );
    expect(await errorOf(answer)).toMatchObject({ status: 401, code: 'SIGNED_OUT' });
    expect(await identity.row('mine@example.org')).toMatchObject({ password_hash: 'new' });
    expect(await identity.row('other@example.org')).toBeUndefined();
  },
);

test('an account that is deleted while somebody signs in to it lets nobody in', async () => {
  const { user } = await identity.signUp('gone@example.org');
  const answer = await overtaking('DELETE FROM users WHERE id = $1', [user.id], () =>
    identity.logIn('gone@example.org'),
  );
  expect(await errorOf(answer)).toMatchObject({ status: 401, code: 'INVALID_CREDENTIALS' });
});
