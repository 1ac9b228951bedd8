import { createManualClock } from '@casewatch/testing/manual-clock';
import { expect, test } from 'vitest';
import { signed } from '../../test/webhook-proxy.ts';
import { API_VERSION } from './stripe-client.ts';
import { createWebhookReader } from './webhook-signature.ts';

const clock = createManualClock();
const counted: string[] = [];
const readSigned = createWebhookReader(['whsec_1'], { clock, count: (result) => counted.push(result) });

function read(type: string, object: unknown) {
  const body = JSON.stringify({ id: 'evt_1', type, data: { object } });
  return readSigned(Buffer.from(body), signed(body, 'whsec_1', clock.nowMs()));
}
const of = (customerId: string | undefined, paymentIntentId?: string) => ({
  id: 'evt_1',
  customerId,
  paymentIntentId,
});

test.each([
  'customer.deleted',
  'customer.updated',
  'payment_method.attached',
  'customer.subscription.created',
  'customer.subscription.deleted',
  'invoice.paid',
  'payment_intent.succeeded',
  'setup_intent.succeeded',
  'charge.refunded',
  'charge.refund.updated',
  'refund.created',
  'charge.dispute.closed',
])('an event of the kind %s concerns us', (type) => {
  expect(read(type, { id: 'cus_1', customer: 'cus_1' })).toEqual({ ...of('cus_1'), type });
});

test.each([
  'customer.created',
  'customer.tax_id.updated',
  'payment_method.updated',
  'charge.succeeded',
  'product.created',
  'my.invoice.paid',
])('an event of the kind %s does not', (type) => {
  expect(read(type, { id: 'cus_1', customer: 'cus_1' })).toBeUndefined();
});

test.each<[string, unknown, object]>([
  ['named by its id', { customer: 'cus_1', payment_intent: 'pi_1' }, of('cus_1')],
  ['in full', { customer: { id: 'cus_1' } }, of('cus_1')],
  ['not there, its payment is', { payment_intent: 'pi_1' }, of(undefined, 'pi_1')],
  ['null, its payment is in full', { customer: null, payment_intent: { id: 'pi_1' } }, of(undefined, 'pi_1')],
  ['without an id', { customer: { name: 'Ana' } }, of(undefined)],
  ['under an id that is no text', { customer: { id: 7 } }, of(undefined)],
  ['a number', { customer: 7 }, of(undefined)],
  ['missing, as is all else', null, of(undefined)],
  ['missing from a text', 'cus_1', of(undefined)],
])('the customer of an event is read where it is %s', (_how, object, expected) => {
  expect(read('invoice.paid', object)).toMatchObject(expected);
});

test('a card that was removed names its customer as the one that it had, and a customer names itself', () => {
  const data = { object: { id: 'pm_1', customer: null }, previous_attributes: { customer: 'cus_1' } };
  const body = JSON.stringify({ id: 'evt_1', type: 'payment_method.detached', data });
  const event = readSigned(Buffer.from(body), signed(body, 'whsec_1', clock.nowMs()));
  expect(event).toMatchObject(of('cus_1'));
  expect(read('customer.updated', { id: 'cus_2' })).toMatchObject(of('cus_2'));
});

test('events are counted as accepted, as of another version of the API, and as refused', () => {
  counted.length = 0;
  for (const api_version of [API_VERSION, '2020-08-27', null]) {
    const body = JSON.stringify({ id: 'evt_1', type: 'invoice.paid', api_version, data: { object: {} } });
    readSigned(Buffer.from(body), signed(body, 'whsec_1', clock.nowMs()));
  }
  expect(() => readSigned(Buffer.from('{}'), signed('{}', 'whsec_2', clock.nowMs()))).toThrow();
  expect(counted).toEqual(['accepted', 'other-version', 'other-version', 'refused']);
});
