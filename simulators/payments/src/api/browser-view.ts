const PAYMENT_INTENT = [
  'id object amount amount_details automatic_payment_methods canceled_at cancellation_reason capture_method',
  'client_secret confirmation_method created currency description last_payment_error livemode next_action',
  'payment_method payment_method_types processing receipt_email setup_future_usage shipping source status',
].flatMap((line) => line.split(' '));
const SETUP_INTENT = [
  'id object automatic_payment_methods cancellation_reason client_secret created description last_setup_error',
  'livemode next_action payment_method payment_method_types status usage',
].flatMap((line) => line.split(' '));
const ERROR_PARTS = ['payment_intent', 'setup_intent'];

/** What a caller with the publishable key gets to see of an answer. */
export function browserView(answer: unknown): unknown {
  if (typeof answer !== 'object' || answer === null) return answer;
  const object: unknown = Reflect.get(answer, 'object');
  if (object === 'payment_intent') return pick(answer, PAYMENT_INTENT);
  if (object === 'setup_intent') return pick(answer, SETUP_INTENT);
  return Object.fromEntries(
    Object.entries(answer).map(([name, value]) => [
      name,
      ERROR_PARTS.includes(name) ? browserView(value) : value,
    ]),
  );
}

function pick(from: object, names: readonly string[]): unknown {
  return Object.fromEntries(names.map((name) => [name, Reflect.get(from, name) ?? null]));
}
