import { TOTP } from 'otpauth';
import { expect, test } from 'vitest';
import { matchingStep, newTotpKey, totpUri } from './one-time-codes.ts';

const STEP_MS = 30_000;
const NOW_MS = 1_000 * STEP_MS + 12_345;

test('the code of the present step counts, and those of one before and one after it', () => {
  const key = newTotpKey();
  const codeAt = (step: number) => new TOTP({ secret: key }).generate({ timestamp: step * STEP_MS });
  const steps = [998, 999, 1_000, 1_001, 1_002].map((step) => matchingStep(key, codeAt(step), NOW_MS));
  expect(steps).toEqual([undefined, 999, 1_000, 1_001, undefined]);
  const typed = codeAt(1_000).replace(/^.../, '$& -');
  expect(matchingStep(key, typed, NOW_MS)).toBe(1_000);
});

test('an authenticator app reads whose code it is from the address of the key', () => {
  const key = newTotpKey();
  const uri = new URL(totpUri(key, 'grace@example.org'));
  expect(decodeURIComponent(uri.pathname)).toContain('Casewatch admin:grace@example.org');
  expect(Object.fromEntries(uri.searchParams)).toMatchObject({
    issuer: 'Casewatch admin',
    secret: key,
    algorithm: 'SHA1',
    digits: '6',
    period: '30',
  });
});
