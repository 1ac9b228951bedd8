import { expect, test } from 'vitest';
import { operatorSettings, POLICY_PAGES_ELSEWHERE, policyProblems } from './policy-settings.ts';

const OUTSIDE = { PUBLIC_URL: 'https://cases.example' };
const OPERATOR = {
  OPERATOR_NAME: 'Example Agency',
  OPERATOR_ADDRESS: '1 Main Street, Springfield',
  OPERATOR_JURISDICTION: 'the State of Example',
  OPERATOR_EMAIL: 'help@agency.example',
  POLICIES_DATE: '2026-12-01',
};
const ALL = new Set(Object.keys(OPERATOR));
const ELSEWHERE = ['privacy', 'terms', 'accessibility', 'cookies', 'contact']
  .map((name) => `${name}=https://agency.example/${name}`)
  .join(' ');

const namesOf = (env: NodeJS.ProcessEnv, readable = ALL) =>
  policyProblems(readable, env).map((problem) => problem.split(':')[0]);

test.each([
  ['nothing on loopback', {}, []],
  ['nothing at a loopback address', { PUBLIC_URL: 'http://localhost:8080' }, []],
  ['each placeholder elsewhere', OUTSIDE, Object.keys(OPERATOR)],
  [
    'what is blank',
    { ...OUTSIDE, ...OPERATOR, OPERATOR_NAME: ' ', POLICIES_DATE: '' },
    ['OPERATOR_NAME', 'POLICIES_DATE'],
  ],
  ['nothing more', { ...OUTSIDE, ...OPERATOR }, []],
  [
    'the version where all pages are on another site',
    { ...OUTSIDE, POLICY_PAGES_ELSEWHERE: ELSEWHERE },
    ['POLICIES_DATE'],
  ],
  [
    'everything where one page is not',
    { ...OUTSIDE, POLICY_PAGES_ELSEWHERE: ELSEWHERE.replace(/ contact.*/, '') },
    Object.keys(OPERATOR),
  ],
])('a start needs %s', (_what, env, needed) => expect(namesOf(env).sort()).toEqual(needed.sort()));

test('a process is asked only for what it reads', () => {
  expect(namesOf(OUTSIDE, new Set(['POLICIES_DATE', 'PUBLIC_URL']))).toEqual(['POLICIES_DATE']);
  expect(namesOf(OUTSIDE, new Set(['PUBLIC_URL']))).toEqual([]);
});

test('who runs it is said on one line', () => {
  const { OPERATOR_ADDRESS } = operatorSettings;
  expect(OPERATOR_ADDRESS.parse(' 1 Main Street, Springfield\n')).toBe('1 Main Street, Springfield');
  const problem = OPERATOR_ADDRESS.safeParse('1 Main Street\n\nSpringfield').error;
  expect(problem?.issues).toMatchObject([{ message: 'must be on one line' }]);
});

test.each(['terms', 'terms=', 'terms=javascript:alert(1)', 'imprint=https://agency.example', 'terms=/terms'])(
  '%j does not say where a page is',
  (text) => expect(POLICY_PAGES_ELSEWHERE.safeParse(text).success).toBe(false),
);
