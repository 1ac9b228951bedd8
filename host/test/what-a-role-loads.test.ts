import { expect, test } from 'vitest';
import { modulesOf, ofService, packagesOf } from './loading/modules-of.ts';

test('the gateway reads no service, and nothing of databases, brokers or payments', async () => {
  const read = await modulesOf('gateway', {});
  expect(read.filter(ofService)).toEqual([]);
  // What it passes requests on with.
  expect(packagesOf(read)).toEqual(['undici']);
  expect(read.some((module) => module.includes('/gateway/src/gateway.ts'))).toBe(true);
  expect(read.filter((module) => /\/simulators\//.test(module))).toEqual([]);
}, 90_000);
