import { userChanged, userDeleted, userSignedUp } from '@casewatch/contracts/events';
import type { Logger } from '@casewatch/service-kit/runtime/logger';
import type { Identity } from '../identity.ts';
import { newDeviceKey } from '../session/device.ts';
import { changeOf } from './account.ts';

const DEMO_PASSWORD = 'demo-demo-demo';
const DEMO_ACCOUNTS = [
  { email: 'free@demo.test', firstName: 'Frida', lastName: 'Demo', tier: 'free' },
  { email: 'pro@demo.test', firstName: 'Priya', lastName: 'Demo', tier: 'pro' },
] as const;
type DemoAccount = (typeof DEMO_ACCOUNTS)[number];

/**
 * Makes the demo accounts exist under their known password, or not exist at all. May be run at every start and
 * by several processes at once. An account that a person signed up with such an address is left alone.
 */
export async function settleDemoAccounts(identity: Identity, logger: Logger): Promise<void> {
  if (!identity.demoAccounts) return removeAll(identity);
  for (const demo of DEMO_ACCOUNTS) await ensure(identity, demo, logger);
}

async function removeAll({ store }: Identity): Promise<void> {
  await store.transaction(async ({ accounts, publish }) => {
    for (const userId of await accounts.removeDemos()) await publish(userDeleted, { userId });
  });
}

async function ensure(identity: Identity, demo: DemoAccount, logger: Logger): Promise<void> {
  const { store, hasher } = identity;
  const existing = await store.accounts.byEmail(demo.email);
  if (!existing) return create(identity, demo);
  if (!existing.isDemo) {
    logger.warn('demo accounts: address is taken by another account, skipped');
    return;
  }
  if (await hasher.verify(existing.passwordHash, DEMO_PASSWORD)) return;
  const restored = await hasher.hash(DEMO_PASSWORD);
  await store.accounts.changePassword(existing.id, existing.passwordHash, {
    passwordHash: restored,
    deviceKey: newDeviceKey(),
  });
}

async function create({ store, hasher, clock }: Identity, demo: DemoAccount): Promise<void> {
  const { email, firstName, lastName, tier } = demo;
  const passwordHash = await hasher.hash(DEMO_PASSWORD);
  await store.transaction(async ({ accounts, publish }) => {
    const account = await accounts.createIfFree({
      ...demo,
      passwordHash,
      role: null,
      isDemo: true,
      emailVerified: true,
      language: null,
      lastLanguage: null,
      policiesVersion: null,
      deviceKey: newDeviceKey(),
      createdAtMs: clock.nowMs(),
    });
    // Another process was faster, and has published the event.
    if (!account) return;
    const userId = account.id;
    await publish(userSignedUp, { userId, email, firstName, lastName });
    if (tier !== 'free') await publish(userChanged, changeOf(account));
  });
}
