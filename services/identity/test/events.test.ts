import type { EventBus } from '@casewatch/messaging/event-bus';
import { systemClock } from '@casewatch/service-kit/runtime/clock';
import { createOutboxBus } from '@casewatch/testing/outbox-bus';
import { startTestService } from '@casewatch/testing/test-service';
import { expect, test } from 'vitest';
import { service } from '../src/service.ts';
import { PASSWORD } from './identity-fixture.ts';

const body = { email: 'ada@example.org', password: PASSWORD, firstName: 'Ada', lastName: 'Lovelace' };

test('an event is published inside the transaction of the change it tells of', async () => {
  const seen: unknown[] = [];
  const bus: EventBus = {
    ...createOutboxBus(systemClock),
    publish: async (tx) => {
      seen.push(...(await tx.query('SELECT email FROM users', [])));
    },
  };
  const identity = await startTestService(service, { bus });
  try {
    await identity.call('POST', '/api/auth/signup', { body });
    expect(seen).toEqual([{ email: 'ada@example.org' }]);
  } finally {
    await identity.stop();
  }
});

test('a change whose event can not be written does not happen', async () => {
  const refused: string[] = [];
  const bus: EventBus = {
    ...createOutboxBus(systemClock),
    publish: async (_tx, event) => {
      refused.push(event.name);
      if (event.name !== 'user-signed-up') throw new Error('no outbox');
    },
  };
  const identity = await startTestService(service, { bus });
  try {
    const user = (await (await identity.call('POST', '/api/auth/signup', { body })).json()) as { id: string };
    const as = { userId: user.id };
    const before = await rows();
    await identity.call('POST', '/api/auth/login', { body: { email: body.email, password: PASSWORD } });
    await identity.call('PATCH', '/api/auth/me', { as, body: { firstName: 'Augusta' } });
    await identity.call('DELETE', '/api/auth/me', { as, body: { currentPassword: PASSWORD } });
    expect(refused).toEqual(['user-signed-up', 'user-logged-in', 'user-changed', 'user-deleted']);
    expect(await rows()).toEqual(before);
  } finally {
    await identity.stop();
  }

  function rows() {
    return identity.database.query(
      'SELECT users.*, sid_hash FROM identity.users JOIN identity.sessions ON user_id = users.id',
    );
  }
});
