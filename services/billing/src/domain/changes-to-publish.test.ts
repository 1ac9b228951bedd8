import { expect, test } from 'vitest';
import { activeAt } from '../../test/active-entitlement.ts';
import { changesToPublish } from './changes-to-publish.ts';
import type { Entitlement } from './entitlement.ts';

const active = activeAt(Date.parse('2026-01-05T12:00:00Z'));
const begun = { tier: 'free', status: 'incomplete' } as const;
const expired = { tier: 'free', status: 'incomplete_expired' } as const;
const cardless = { tier: 'free', status: 'trialing', awaitsCard: true } as const;

test.each<[string, string | null, Partial<Entitlement>, object | undefined]>([
  ['a first payment', null, {}, { tier: 'pro', status: 'active' }],
  ['what is known already', 'pro active', {}, undefined],
  ['another status of the same tier', 'pro trialing', {}, { tier: 'pro', status: 'active' }],
  [
    'another tier of the same status',
    'pro past_due',
    { tier: 'free', status: 'past_due' },
    { tier: 'free', status: 'past_due' },
  ],
  ['what was never paid', null, begun, undefined],
  ['what was never paid and is over', null, expired, undefined],
  ['a trial without a card', null, cardless, undefined],
  ['what is not yet paid after an end', 'free canceled', begun, undefined],
  ['what was never paid after an end', 'free canceled', expired, undefined],
  ['a trial without a card after an end', 'free canceled', cardless, undefined],
  ['what is not yet paid after pro', 'pro active', begun, begun],
  ['what was never paid after pro', 'pro active', expired, expired],
  ['a trial without a card after pro', 'pro active', cardless, { tier: 'free', status: 'trialing' }],
])('%s is published as it should be', (_what, published, change, expected) => {
  expect(changesToPublish(published, { ...active, ...change })).toEqual(expected);
});
