import { noTelemetry } from '@casewatch/service-kit/telemetry/telemetry';
import { pino } from 'pino';
import type Stripe from 'stripe';
import { expect, test } from 'vitest';
import { createCardReader, newerChoice } from './chosen-card.ts';
import { createStripeCalls } from './stripe-calls.ts';

const card = (id: string, created = 1, customer: string | null = 'cus_1') =>
  ({ id, created, customer }) as Stripe.PaymentMethod;
const older = card('pm_old', 1);
const newer = card('pm_new', 2);

test.each<[string, Parameters<typeof newerChoice>, string | undefined]>([
  ['there is none', [undefined, undefined, undefined], undefined],
  ['only the subscription has one', [older, undefined, 'pm_new'], 'pm_old'],
  ['only the customer has one', [undefined, older, 'pm_new'], 'pm_old'],
  ['the customer got a newer one', [older, newer, undefined], 'pm_new'],
  ['the subscription got a newer one', [newer, older, undefined], 'pm_new'],
  ['the customer went back to an older one', [newer, older, 'pm_new'], 'pm_old'],
  ['the subscription went back to an older one', [older, newer, 'pm_new'], 'pm_old'],
  ['both were changed', [older, newer, 'pm_before'], 'pm_new'],
])('the card that was chosen last is charged where %s', (_what, cards, expected) => {
  expect(newerChoice(...cards)?.id).toBe(expected);
});

/** Reads with a provider that knows these payment methods and setups. */
function choose(
  subscription: { customers?: string | null } & Partial<Stripe.Subscription>,
  { cards = [], setups = [] }: { cards?: Stripe.PaymentMethod[]; setups?: object[] } = {},
) {
  const asked: string[] = [];
  const { customers = null, ...changes } = subscription;
  // Only the parts that are used of it.
  const stripe = {
    paymentMethods: {
      retrieve: async (id: string) => {
        asked.push(id);
        return cards.find((each) => each.id === id);
      },
    },
    setupIntents: {
      list: async ({ customer }: { customer: string }) => {
        asked.push(`setups of ${customer}`);
        return { data: setups };
      },
    },
  } as unknown as Stripe;
  const calls = createStripeCalls({ logger: pino({ level: 'silent' }), restMs: 1, telemetry: noTelemetry });
  const customer = { id: 'cus_1', invoice_settings: { default_payment_method: customers } };
  const whole = { id: 'sub_1', status: 'active', created: 1_000, customer, metadata: {}, ...changes };
  // Only what is read of it.
  const chosen = createCardReader(
    stripe,
    calls,
  )({
    default_payment_method: null,
    pending_setup_intent: null,
    ...whole,
  } as unknown as Stripe.Subscription);
  return { asked, chosen };
}

test('a card that subscription and customer name, and that is noted, is left alone', async () => {
  const settled = {
    default_payment_method: older,
    customers: 'pm_old',
    metadata: { payment_method: 'pm_old' },
  };
  const { asked, chosen } = choose(settled);
  expect(await chosen).toEqual({ method: older, setup: undefined, toUse: null });
  expect(asked).toEqual([]);
  for (const change of [{ customers: null }, { metadata: {} }]) {
    expect((await choose({ ...settled, ...change }).chosen).toUse).toBe('pm_old');
  }
});

test('a card of the customer is read, and one that was removed counts as none', async () => {
  const cards = [newer, card('pm_gone', 3, null)];
  const changed = choose({ default_payment_method: older, customers: 'pm_new' }, { cards });
  expect(await changed.chosen).toMatchObject({ method: newer, toUse: 'pm_new' });
  expect(changed.asked).toEqual(['pm_new']);
  const gone = choose({ default_payment_method: older, customers: 'pm_gone' }, { cards });
  expect(await gone.chosen).toMatchObject({ method: older, toUse: 'pm_old' });
  const removed = choose(
    { default_payment_method: card('pm_gone', 3, null), customers: 'pm_new' },
    { cards },
  );
  expect(await removed.chosen).toMatchObject({ method: newer, toUse: 'pm_new' });
  const none = choose({ default_payment_method: card('pm_gone', 3, null), customers: 'pm_gone' }, { cards });
  expect(await none.chosen).toEqual({ method: undefined, setup: undefined, toUse: null });
  const deleted = { id: 'cus_1', deleted: true } as Stripe.DeletedCustomer;
  expect((await choose({ customer: deleted }).chosen).toUse).toBeNull();
});

const setup = (id: string, created: number, payment_method: object | null, status = 'succeeded') => ({
  id,
  created,
  payment_method,
  status,
});

test.each<[string, object[], { setup: string | undefined; toUse: string | null }]>([
  [
    'the newest',
    [setup('seti_2', 1_010, newer), setup('seti_1', 940, older)],
    { setup: 'seti_2', toUse: 'pm_new' },
  ],
  ['one that succeeded', [setup('seti_2', 1_010, newer, 'canceled')], { setup: undefined, toUse: null }],
  ['none of before the trial', [setup('seti_1', 939, older)], { setup: undefined, toUse: null }],
  [
    'one whose card is still there',
    [setup('seti_2', 1_010, card('pm_gone', 3, null)), setup('seti_1', 1_000, older)],
    { setup: 'seti_1', toUse: 'pm_old' },
  ],
  [
    'one whose card was removed, rather than none',
    [setup('seti_2', 1_010, card('pm_gone', 3, null))],
    { setup: 'seti_2', toUse: null },
  ],
])('of the setups of a trial that names none, the card is that of %s', async (_which, setups, expected) => {
  const { asked, chosen } = choose({ status: 'trialing' }, { setups });
  const { setup: found, toUse } = await chosen;
  expect({ setup: found?.id, toUse }).toEqual(expected);
  expect(asked).toEqual(['setups of cus_1']);
});

test('setups are looked for in a trial that has neither a card nor a setup', async () => {
  // Only what is read of it.
  const pending = setup('seti_1', 1_000, older) as unknown as Stripe.SetupIntent;
  const confirmed = choose({ status: 'trialing', pending_setup_intent: pending });
  expect((await confirmed.chosen).toUse).toBe('pm_old');
  const waiting = { ...pending, status: 'requires_action' } as Stripe.SetupIntent;
  expect((await choose({ status: 'trialing', pending_setup_intent: waiting }).chosen).toUse).toBeNull();
  const active = choose({ status: 'active' });
  await active.chosen;
  expect([...confirmed.asked, ...active.asked]).toEqual([]);
});
