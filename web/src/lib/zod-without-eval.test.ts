import { expect, test } from 'vitest';
import { z } from 'zod';
import { keepZodFromEval } from './zod-without-eval.ts';

test('zod reads its settings from where they are put before it is loaded', () => {
  expect(z.config()).toBe(Reflect.get(globalThis, '__zod_globalConfig'));
});

test('it compiles no checks, and keeps its other settings', () => {
  const scope: { __zod_globalConfig?: object } = { __zod_globalConfig: { other: 1 } };
  keepZodFromEval(scope);
  expect(scope.__zod_globalConfig).toEqual({ other: 1, jitless: true });
  const fresh: { __zod_globalConfig?: object } = {};
  keepZodFromEval(fresh);
  expect(fresh.__zod_globalConfig).toEqual({ jitless: true });
});
