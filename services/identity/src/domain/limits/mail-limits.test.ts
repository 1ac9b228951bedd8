import { type LimiterFactory, memoryLimiters } from '@casewatch/shared-state/limits/limiter';
import { expect, test } from 'vitest';
import { createMailLimits } from './mail-limits.ts';

const RULES = { perRecipient: 4, perAccount: 2, perNetwork: 1 };

test('requests for e-mails count for their network and its /48 together', async () => {
  const limits = createMailLimits(memoryLimiters, RULES);
  let nth = 0;
  const request = (address: string) => limits.resetMail({ address, email: `${++nth}@example.org` });
  for (let network = 0; network < 10; network++) await request(`2001:db8:7:${network}::1`);
  const refusal = { code: 'RATE_LIMITED', message: expect.stringContaining('from your network') };
  await expect(request('2001:db8:7:10::1')).rejects.toMatchObject(refusal);
  await request('2001:db8:8::1');
  await expect(request('2001:db8:8::2')).rejects.toMatchObject(refusal);
});

test('a request that its /48 is refused costs its own network nothing', async () => {
  const given: string[] = [];
  const limiters: LimiterFactory = (rule) => {
    const limiter = memoryLimiters(rule);
    return {
      ...limiter,
      giveBack: (key) => {
        given.push(`${rule.name} ${key}`);
        return limiter.giveBack(key);
      },
    };
  };
  const limits = createMailLimits(limiters, RULES);
  const request = (address: string) => limits.resetMail({ address, email: 'ada@example.org' });
  for (let network = 0; network < 10; network++) await request(`2001:db8:7:${network}::1`);
  await expect(request('2001:db8:7:10::1')).rejects.toMatchObject({ code: 'RATE_LIMITED' });
  expect(given).toEqual(['account-mail-network 2001:db8:7:10::/64']);
});

test('requests at once exceed no limit', async () => {
  const limits = createMailLimits(memoryLimiters, { ...RULES, perNetwork: 100 });
  const outcomes = await Promise.allSettled(
    Array.from({ length: 20 }, (_, nth) =>
      limits.changeMail({ userId: 'eve', address: '192.0.2.1', email: `${nth}@example.org` }),
    ),
  );
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
});

test('however low the limit of an address is set, it sends a first link, and another one once the links have ended', async () => {
  for (const perRecipient of [1, 3, 5]) {
    const limits = createMailLimits(memoryLimiters, { ...RULES, perRecipient, perNetwork: 100 });
    const request = () => limits.resetMail({ address: '192.0.2.1', email: 'ada@example.org' });
    expect(await request()).toBe(true);
    while (await request());
    await limits.clearResetMails('Ada@Example.org');
    expect(await request()).toBe(true);
  }
});
