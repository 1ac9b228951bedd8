import type { PaymentsState } from '../payments-state.ts';
import { StripeError } from '../stripe-error.ts';
import type { Access } from './api-route.ts';

/** Which key a request carries. @throws StripeError 401 for none, a wrong one, or one that does not open the route */
export function checkKey(
  { secretKey, publishableKey }: PaymentsState,
  authorization: string | undefined,
  keyParam: string | undefined,
  access: Access,
): 'secret' | 'publishable' {
  const key = keyOf(authorization) ?? keyParam;
  if (!key) {
    throw unauthorized(
      "You did not provide an API key. You need to provide your API key in the Authorization header, using Bearer auth (e.g. 'Authorization: Bearer YOUR_SECRET_KEY').",
    );
  }
  if (key === secretKey) return 'secret';
  if (key !== publishableKey) throw unauthorized(`Invalid API Key provided: ${masked(key)}`);
  if (access === 'browser') return 'publishable';
  throw unauthorized(
    'This API call cannot be made with a publishable API key. Please use a secret API key.',
    'secret_key_required',
  );
}

/** Bearer, or the user name of Basic. */
function keyOf(authorization: string | undefined): string | undefined {
  const [scheme, value = ''] = (authorization ?? '').split(' ', 2);
  if (scheme?.toLowerCase() === 'bearer') return value;
  if (scheme?.toLowerCase() === 'basic') return Buffer.from(value, 'base64').toString('utf8').split(':')[0];
  return undefined;
}

function masked(key: string): string {
  return key.length <= 12
    ? '*'.repeat(key.length)
    : `${key.slice(0, 8)}${'*'.repeat(key.length - 12)}${key.slice(-4)}`;
}

function unauthorized(message: string, code?: string): StripeError {
  return new StripeError(401, {
    type: 'invalid_request_error',
    message,
    ...(code === undefined ? {} : { code }),
  });
}
