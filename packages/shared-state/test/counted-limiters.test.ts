import { startScraped } from '@casewatch/testing/scraped-telemetry';
import { expect, test } from 'vitest';
import { countedLimiters } from '../src/limits/counted-limiters.ts';
import { memoryLimiters } from '../src/limits/limiter.ts';

test('a limit counts its refusals, from 0', async () => {
  const telemetry = await startScraped();
  const limiter = countedLimiters(memoryLimiters, telemetry.meter)({ name: 'x', points: 1, perSeconds: 60 });
  await limiter.take('a');
  expect(await telemetry.scrape()).toMatchObject({ 'casewatch_rate_limited_total{limit="x"}': 0 });
  await limiter.take('a');
  expect(await telemetry.scrape()).toMatchObject({ 'casewatch_rate_limited_total{limit="x"}': 1 });
  await telemetry.stop();
});
