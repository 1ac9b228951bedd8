import { expect, test } from 'vitest';
import { z } from 'zod';
import { flag, integer, positive, readSettings, SettingsError, setting, urlSettingOf } from './settings.ts';

const SHAPE = {
  PORT: setting(integer(1, 65_535).default(8_080), { description: 'Where to listen.' }),
  RATIO: setting(positive().optional(), { description: 'A number.' }),
  ON: setting(flag().default(true), { description: 'A switch.' }),
  SECRET: setting(z.string().min(8, 'must have 8 characters').optional(), {
    description: 'A secret.',
    secret: true,
  }),
};
const problemsOf = (env: NodeJS.ProcessEnv): readonly string[] => {
  try {
    readSettings(SHAPE, env);
    return [];
  } catch (error) {
    if (error instanceof SettingsError) return error.problems;
    throw error;
  }
};

test('settings are read from their texts; what is unset or empty has its default, and no other name is read', () => {
  const read = readSettings(SHAPE, { PORT: '443', RATIO: '0.5', ON: 'false', SECRET: '', OTHER: 'x' });
  expect(read).toEqual({ PORT: 443, RATIO: 0.5, ON: false, SECRET: undefined });
  expect(readSettings(SHAPE, { PORT: '', ON: '' })).toEqual({ PORT: 8_080, ON: true });
});

test.each([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
])('the switch %s is %s', (ON, on) => {
  expect(readSettings(SHAPE, { ON }).ON).toBe(on);
});

test.each([{ PORT: '1' }, { PORT: '65535' }, { RATIO: '0.001' }])('%o is within its bounds', (env) => {
  expect(problemsOf(env)).toEqual([]);
});

test.each([
  [{ PORT: '0' }, /^PORT: /],
  [{ PORT: '65536' }, /^PORT: /],
  [{ PORT: '80.5' }, 'PORT: must be a whole number'],
  [{ PORT: 'http' }, 'PORT: must be a whole number'],
  [{ RATIO: '0' }, 'RATIO: must be above 0'],
  [{ RATIO: 'half' }, 'RATIO: must be a number'],
  [{ ON: 'yes' }, 'ON: must be true or false'],
])('%o is reported under the name of its setting', (env, problem) => {
  expect(problemsOf(env)).toEqual([typeof problem === 'string' ? problem : expect.stringMatching(problem)]);
});

test('all problems are listed at once, without the value of a secret', () => {
  const env = { PORT: 'http', SECRET: 'hunter2' };
  expect(problemsOf(env)).toEqual(['PORT: must be a whole number', 'SECRET: must have 8 characters']);
  expect(() => readSettings(SHAPE, env)).toThrow(
    'These settings are wrong:\n  PORT: must be a whole number\n  SECRET: must have 8 characters',
  );
});

test('a setting keeps what the page of settings needs, and a service’s URL has its name', () => {
  expect(SHAPE.SECRET.meta()).toEqual({ description: 'A secret.', secret: true });
  expect(urlSettingOf('admin-log')).toBe('ADMIN_LOG_URL');
});
