import type { Access } from '@casewatch/contracts/route-contract';
import { routes } from '@casewatch/contracts/routes';
import { afterAll, beforeAll } from 'vitest';
import { type Fuzzed, type FuzzRole, fuzz } from '../src/fuzz.ts';
import { fuzzDepth } from '../src/fuzz-depth.ts';
import { type FuzzedProduct, startFuzzedProduct } from '../src/fuzzed-product.ts';

/** Fuzzes a product of its own before the file's tests: what came of it. */
export function useFuzzed(role: FuzzRole, operations: readonly string[] = []): () => Fuzzed {
  let product: FuzzedProduct | undefined;
  let fuzzed: Fuzzed | undefined;
  beforeAll(async () => {
    const { seed, examples } = fuzzDepth(process.env);
    console.log(`fuzzing as ${role} with FUZZ_SEED=${seed}, ${examples} examples for each operation`);
    product = await startFuzzedProduct();
    fuzzed = await fuzz(product, role, { seed, examples, operations });
  });
  afterAll(() => product?.stop());
  return () => {
    if (!fuzzed) throw new Error('nothing was fuzzed');
    return fuzzed;
  };
}

/** The operations with this access that never answered with success, but for those that can't here. */
export function neverSucceeded(
  { answers }: Fuzzed,
  access: readonly Access[],
  cannot: readonly string[],
): string[] {
  const open = routes.filter((route) => access.includes(route.access)).map(({ id }) => id);
  return open.filter((id) => {
    const successes = [...(answers.get(id)?.keys() ?? [])].filter((status) => status < 400);
    return successes.length === 0 && !cannot.includes(id);
  });
}

/** A caller without the secret of its signature, the link of an e-mail, a passkey, a sign-in provider, or a subscription to push messages. */
export const SIGNED = [
  'receiveStripeEvent',
  'receiveMailReport',
  'unsubscribe',
  'confirmEmail',
  'stopEmailChange',
  'resetPassword',
  'beginSingleSignOn',
  'finishSingleSignOn',
  'signInWithPasskey',
  'addPasskey',
  'renamePasskey',
  'removePasskey',
  'adminSignInWithPasskey',
  'startAdminPasskeyRegistration',
  'addAdminPasskey',
  'removeAdminPasskey',
  'savePushDevice',
  'changePushDevice',
  'removePushDevice',
  'testPushDevice',
];
/** What a payment or a subscription at the provider is needed for. */
export const PAID = [
  'confirmPayment',
  'cancelSubscription',
  'resumeSubscription',
  'openBillingPortal',
  'previewSwitch',
  'switchToYearly',
];
