import { expect, test } from 'vitest';
import { networkHash, openAdminSession } from '../admin/admin-session.ts';
import { openSession, refreshSession } from './session.ts';

const LONG_IDLE = { idleMs: 20, maximumMs: 10 };
const browser = { device: 'Firefox on Windows', network: '192.0.2.0/24' };

test('no session outlasts its end, whatever the time it may be idle', () => {
  const { session } = openSession({ userId: 'ada', browser }, 1_000, LONG_IDLE);
  expect(session).toMatchObject({
    createdAtMs: 1_000,
    lastSeenAtMs: 1_000,
    expiresAtMs: 1_010,
    endsAtMs: 1_010,
  });
  const ofAdmin = openAdminSession({ administratorId: 'ada', address: '192.0.2.1' }, 1_000, LONG_IDLE);
  expect(ofAdmin.session).toMatchObject({ createdAtMs: 1_000, expiresAtMs: 1_010, endsAtMs: 1_010 });
});

test('a use a minute after the last one is written down, one before it is not', () => {
  const lifetime = { idleMs: 600_000, maximumMs: 900_000 };
  const { session } = openSession({ userId: 'ada', browser }, 0, lifetime);
  expect(refreshSession(session, 59_999, lifetime)).toBeUndefined();
  expect(refreshSession(session, 60_000, lifetime)).toMatchObject({
    lastSeenAtMs: 60_000,
    expiresAtMs: 660_000,
  });
  expect(refreshSession(session, 400_000, lifetime)).toMatchObject({ expiresAtMs: 900_000 });
});

test('an administrator’s network is known by its IPv4 address or IPv6 /64', () => {
  expect(networkHash('2001:db8:1:2::3')).toBe(networkHash('2001:db8:1:2::4'));
  const hashes = ['2001:db8:1:2::3', '2001:db8:1:3::3', '192.0.2.1', '192.0.2.2'].map(networkHash);
  expect(new Set(hashes).size).toBe(4);
});
