import { openPrisma } from '@casewatch/service-kit/database/prisma-adapter';
import { systemClock } from '@casewatch/service-kit/runtime/clock';
import { memoryLimiters } from '@casewatch/shared-state/limits/limiter';
import { createOutboxBus } from '@casewatch/testing/outbox-bus';
import { createTestDatabase } from '@casewatch/testing/test-database';
import * as argon2 from '@node-rs/argon2';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { createStore } from '../src/data/open-database.ts';
import { signUp } from '../src/domain/account/sign-up.ts';
import type { Identity } from '../src/domain/identity.ts';
import { createMailLimits } from '../src/domain/limits/mail-limits.ts';
import { createThrottle } from '../src/domain/limits/throttle.ts';
import { PasskeyCeremonies } from '../src/domain/passkey/passkey-ceremonies.ts';
import { createPasswordHasher } from '../src/domain/password/password-hasher.ts';
import { logIn } from '../src/domain/session/log-in.ts';
import { PrismaClient } from '../src/generated/client.ts';

const COST = '$argon2id$v=19$m=19456,t=2,p=1';
const UNKNOWN = {
  address: '198.51.100.1',
  browser: { device: 'Firefox on Windows', network: '198.51.100.0/24' },
  language: 'en',
  browserLanguage: 'en',
  oldSid: undefined,
  deviceCookie: undefined,
} as const;

test('a known and an unknown address cost exactly one password check each, and a throttled one none', async () => {
  const { identity, checked, stop } = await startUseCases();
  try {
    const ada = { email: 'ada@example.org', password: 'correct horse battery' };
    await signUp(identity, { ...ada, firstName: 'Ada', lastName: 'Lovelace', ...UNKNOWN });
    const cost = async (email: string, password: string) => {
      const before = checked.length;
      const outcome = await logIn(identity, { email, password, ...UNKNOWN }).then(
        () => 'signed in',
        (error: { code: string }) => error.code,
      );
      return [outcome, checked.slice(before).map(parametersOf)];
    };
    expect(await cost('ada@example.org', 'wrong password')).toEqual(['INVALID_CREDENTIALS', [COST]]);
    expect(await cost('bob@example.org', 'wrong password')).toEqual(['INVALID_CREDENTIALS', [COST]]);
    expect(await cost('ada@example.org', ada.password)).toEqual(['signed in', [COST]]);
    for (let tries = 0; tries < 2; tries++) await cost('ada@example.org', 'wrong password');
    expect(await cost('ada@example.org', ada.password)).toEqual(['RATE_LIMITED', []]);
  } finally {
    await stop();
  }
});

const parametersOf = (passwordHash: string) => passwordHash.split('$').slice(0, 4).join('$');

/** The use cases on a real database, noting every hash that a password is really checked against. */
async function startUseCases() {
  const database = await createTestDatabase();
  const logger = pino({ level: 'silent' });
  const url = database.urlFor('identity');
  const { pool, prisma } = openPrisma((adapter) => new PrismaClient({ adapter }), {
    url,
    service: 'identity',
    maximum: 2,
    logger,
  });
  const checked: string[] = [];
  const hasher = await createPasswordHasher(
    { atOnce: 1, waiting: 1 },
    {
      hash: argon2.hash,
      verify: (passwordHash, ...rest) => {
        checked.push(String(passwordHash));
        return argon2.verify(passwordHash, ...rest);
      },
    },
  );
  const store = createStore(prisma, createOutboxBus(systemClock), { sendsMails: true });
  const publicUrl = 'https://casewatch.example.com';
  const identity: Identity = {
    store,
    policiesVersion: '2026-12-01',
    hasher,
    throttle: createThrottle(memoryLimiters, {
      triesPerAccount: 2,
      triesPerAddress: 100,
      windowSeconds: 900,
      signUpsPerAddress: 10,
    }),
    mailLimits: createMailLimits(memoryLimiters, { perRecipient: 10, perAccount: 10, perNetwork: 10 }),
    ceremonies: new PasskeyCeremonies({
      store,
      clock: systemClock,
      logger,
      publicUrl,
      siteName: 'Casewatch',
    }),
    clock: systemClock,
    lifetime: { idleMs: 1_000, maximumMs: 1_000 },
    demoAccounts: false,
    sendsMails: false,
    forgetSessions: () => undefined,
  };
  return {
    identity,
    checked,
    stop: async () => {
      await prisma.$disconnect();
      await pool.end();
      await database.drop();
    },
  };
}
