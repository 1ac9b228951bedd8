import type { EventDoc } from '../documents.ts';
import { signPayload } from './sign-payload.ts';

const ANSWER_WITHIN_MS = 10_000;

/** Sends one event, signed, once; true when it was answered with 2xx. Never rejects. */
export async function deliver(
  event: EventDoc,
  { url, secret, atSeconds, signal }: { url: string; secret: string; atSeconds: number; signal: AbortSignal },
): Promise<boolean> {
  const payload = JSON.stringify(event, null, 2);
  try {
    const answer = await fetch(url, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json; charset=utf-8',
        'User-Agent': 'Stripe/1.0 (+https://stripe.com/docs/webhooks)',
        'Stripe-Signature': signPayload(payload, secret, atSeconds),
      },
      body: payload,
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWER_WITHIN_MS)]),
    });
    await answer.arrayBuffer();
    return answer.ok;
  } catch {
    return false;
  }
}

/** What an event is about: those of one customer are sent one after another, others beside them. */
export function laneOf({ data: { object }, id }: EventDoc): string {
  if (typeof object !== 'object' || object === null) return id;
  const customer: unknown = Reflect.get(object, 'customer') ?? Reflect.get(object, 'id');
  return typeof customer === 'string' ? customer : id;
}
