import type { Mutation } from '@casewatch/testing/mutation';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type FuzzRole, fuzz } from '../src/fuzz.ts';
import { type FuzzedProduct, startFuzzedProduct } from '../src/fuzzed-product.ts';

/** What is wrong with the product of this file, each with another route. */
const MUTATIONS: readonly Mutation[] = [
  {
    file: 'identity/src/http/routes.ts',
    find: 'body: await currentUser(identity, caller.userId)',
    replace: 'body: { ...(await currentUser(identity, caller.userId)), tier: "gold" as never }',
  },
  {
    file: 'monitoring/src/http/routes.ts',
    find: 'await listWatches(reader, caller.userId, query.receiptNumbers)',
    replace: 'await Promise.reject(new TypeError("nothing is listed"))',
  },
  {
    file: 'cases/src/http/routes.ts',
    find: 'body: await deps.savedCases.list(caller.userId, query.receiptNumbers)',
    replace: 'body: await removeSavedCase(deps, caller.userId, "EAC0000000000").then(() => [])',
  },
  {
    file: 'gateway/src/api.ts',
    find: 'await adminSessions(req.headers.cookie)',
    replace:
      '{ sessionId: "00000000-0000-4000-8000-000000000000", role: "owner", name: "open", administratorId: null }',
  },
  {
    file: 'service-kit/src/http/mask-personal-data.ts',
    find: "if (typeof value === 'string') return maskText(value);",
    replace: "if (typeof value === 'string') return value;",
  },
];

let product: FuzzedProduct;
beforeAll(async () => {
  product = await startFuzzedProduct(MUTATIONS);
});
afterAll(() => product?.stop());

test.each<[string, FuzzRole, string, string]>([
  ['a value that the schema does not have', 'free', 'getMe', 'Response violates schema'],
  ['a crash', 'free', 'listWatches', 'Server error'],
  ['an error that the route does not document', 'free', 'listSavedCases', 'Undocumented status code'],
  ['a mask that lets texts through', 'auditor', 'listAudit', 'Personal data is shown'],
  ['a lock that is open', 'anonymous', 'listSurveys', 'API accepts requests without authentication'],
])('shown able to fail: %s', async (_, role, operation, complaint) => {
  const { passed, output } = await fuzz(product, role, { seed: 1, examples: 1, operations: [operation] });
  expect(passed).toBe(false);
  expect(output).toContain(complaint);
});

test('what is not changed passes in the same product', async () => {
  const { passed, output } = await fuzz(product, 'free', {
    seed: 1,
    examples: 1,
    operations: ['listNotifications'],
  });
  expect(passed, output).toBe(true);
});
