import { request } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type BillingFixture, errorOf, KEYS, person, startBilling, until } from './billing-fixture.ts';
import { type SentEvent, signed } from './webhook-road.ts';

let billing: BillingFixture;
let event: SentEvent;
let user: string;
beforeAll(async () => {
  billing = await startBilling({ env: { STRIPE_WEBHOOK_SECRET: `whsec_older, ${KEYS.webhookSecret}` } });
  billing.road.leadTo(undefined);
  const as = person();
  user = as.userId;
  const { clientSecret } = await billing.begin(as);
  await billing.pay(clientSecret);
  const found = await until(
    async () => billing.road.events.find(({ type }) => type === 'invoice.paid'),
    (sent) => sent !== undefined,
  );
  if (!found) throw new Error('no event came');
  event = found;
});
afterAll(() => billing.stop());

const now = () => billing.clock.nowMs();
const send = (
  body: string | Uint8Array<ArrayBuffer>,
  signature: string | undefined,
  type = 'application/json; charset=utf-8',
) =>
  fetch(`${billing.url}/api/webhooks/stripe`, {
    method: 'POST',
    headers: { 'content-type': type, ...(signature === undefined ? {} : { 'stripe-signature': signature }) },
    body,
  });
const refused = { status: 400, code: 'INVALID_SIGNATURE' };
const known = () => billing.database.query<{ id: string }>('SELECT id FROM billing.provider_events');

test.each<[string, () => Promise<Response>]>([
  [
    'one byte is another',
    () => send(event.body.replace('"paid"', '"void"'), signed(event.body, KEYS.webhookSecret, now())),
  ],
  ['it is older than 300 s', () => send(event.body, signed(event.body, KEYS.webhookSecret, now() - 301_000))],
  [
    'it was parsed and written again',
    () => send(JSON.stringify(JSON.parse(event.body)), signed(event.body, KEYS.webhookSecret, now())),
  ],
  ['another secret signed it', () => send(event.body, signed(event.body, 'whsec_wrong', now()))],
  ['nobody signed it', () => send(event.body, undefined)],
  ['the signature is none', () => send(event.body, 't=1,v1=abc')],
  ['there is no body', () => send('', signed('', KEYS.webhookSecret, now()))],
])('an event is refused with 400 and forgotten when %s', async (_what, sending) => {
  const before = await known();
  expect(await errorOf(await sending())).toMatchObject(refused);
  expect(await known()).toEqual(before);
});

test('an event that is not JSON, too large or packed is refused before it is looked at', async () => {
  const before = await known();
  const signature = signed(event.body, KEYS.webhookSecret, now());
  expect((await send(event.body, signature, 'text/plain')).status).toBe(415);
  expect((await send(`${event.body}${' '.repeat(100_000)}`, signature)).status).toBe(413);
  const packed = await new Promise<number | undefined>((resolve, reject) => {
    const sent = request(`${billing.url}/api/webhooks/stripe`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'content-encoding': 'gzip',
        'stripe-signature': signature,
      },
    });
    sent.once('response', (answer) => resolve(answer.resume().statusCode)).once('error', reject);
    sent.end(event.body);
  });
  expect(packed).toBe(415);
  expect(await known()).toEqual(before);
});

test('an event of a kind that does not concern us is taken and forgotten', async () => {
  const before = await known();
  const body = event.body.replace('"invoice.paid"', '"product.created"').replaceAll(event.id, 'evt_product');
  expect((await send(body, signed(body, KEYS.webhookSecret, now()))).status).toBe(200);
  expect(await known()).toEqual(before);
});

test('an event with the newer or the older of two secrets is taken, once, however often it comes', async () => {
  expect(await billing.row(user)).toMatchObject({ tier: 'free' });
  const answers = await Promise.all(
    ['whsec_older', KEYS.webhookSecret, KEYS.webhookSecret].map((secret) =>
      send(event.body, signed(event.body, secret, now() - 299_000)),
    ),
  );
  expect(await Promise.all(answers.map((answer) => answer.json()))).toEqual(
    Array(3).fill({ received: true }),
  );
  await until(
    () => billing.row(user),
    (row) => row?.tier === 'pro',
  );
  expect((await known()).filter(({ id }) => id === event.id)).toHaveLength(1);
  const looks = async () =>
    ((await billing.control('GET', '/requests')) as { requests: { path: string }[] }).requests.length;
  const before = await looks();
  await send(event.body, signed(event.body, KEYS.webhookSecret, now()));
  await billing.settled();
  expect(await looks()).toBe(before);
});

test('an event of somebody we don’t know is taken and does nothing', async () => {
  const body = event.body.replaceAll(/cus_\w+/g, 'cus_unknown').replaceAll(event.id, 'evt_unknown');
  expect((await send(body, signed(body, KEYS.webhookSecret, now()))).status).toBe(200);
});

test('what an event says is not believed: only what Stripe says when it is asked', async () => {
  const as = person();
  await billing.begin(as);
  const row = await billing.row(as.userId);
  const body = event.body
    .replaceAll(/cus_\w+/g, row?.stripe_customer_id ?? '')
    .replaceAll(event.id, 'evt_true_but_lying');
  expect((await send(body, signed(body, KEYS.webhookSecret, now()))).status).toBe(200);
  await billing.settled();
  expect(await billing.subscription(as)).toMatchObject({ tier: 'free', status: 'incomplete' });
});

test('events are forgotten after a month', async () => {
  const own = await startBilling({ env: { STRIPE_WEBHOOK_SECRET: KEYS.webhookSecret } });
  try {
    const body = event.body.replaceAll(/cus_\w+/g, 'cus_unknown').replaceAll(event.id, 'evt_of_this_month');
    const answer = await fetch(`${own.url}/api/webhooks/stripe`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'stripe-signature': signed(body, KEYS.webhookSecret, own.clock.nowMs()),
      },
      body,
    });
    expect(answer.status).toBe(200);
    const remembered = () => own.database.query('SELECT id FROM billing.provider_events');
    expect(await remembered()).toEqual([{ id: 'evt_of_this_month' }]);
    await own.clock.advance(32 * 86_400_000);
    await until(
      async () => {
        await own.clock.advance(3_600_000);
        return remembered();
      },
      (rows) => rows.length === 0,
    );
  } finally {
    await own.stop();
  }
});
