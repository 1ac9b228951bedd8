import { SettingsError } from '@casewatch/service-kit/settings/settings';
import { beforeAll, expect, test } from 'vitest';
import { readHostSettings } from '../src/all-settings.ts';
import { chooseSimulation } from '../src/simulation.ts';

// Loads the code of every service, which takes a while the first time.
beforeAll(async () => void (await readHostSettings({})));

const NPM_START = { MAILBOX_PORT: '0' };
const AGENCY = { AGENCY_CLIENT_ID: 'id', AGENCY_CLIENT_SECRET: 'secret' };
const POLICIES = {
  OPERATOR_NAME: 'Example Agency',
  OPERATOR_ADDRESS: '1 Main Street, Springfield',
  OPERATOR_JURISDICTION: 'the State of Example',
  OPERATOR_EMAIL: 'help@agency.example',
  POLICIES_DATE: '2026-12-01',
};
const choose = async (env: NodeJS.ProcessEnv) =>
  chooseSimulation((await readHostSettings(env)).settings, env);
const simulated = async (env: NodeJS.ProcessEnv) => {
  const { agency, payments, mailbox } = await choose(env);
  return Object.entries({ agency, payments, mailbox }).flatMap(([name, isOn]) => (isOn ? [name] : []));
};
const problemsOf = async (env: NodeJS.ProcessEnv) => {
  try {
    await readHostSettings(env);
    return [];
  } catch (error) {
    if (error instanceof SettingsError) return error.problems;
    throw error;
  }
};

const OUTSIDE = [
  { HOST: '0.0.0.0' },
  { HOST: '::' },
  { HOST: '192.168.1.2', PUBLIC_URL: 'http://localhost:8080' },
  { HOST: '127.0.0.1', PUBLIC_URL: 'https://cases.example', ...POLICIES },
  { PUBLIC_URL: 'http://192.168.1.2', ...POLICIES },
  { TRUST_PROXY_HOPS: '1' },
];

test('on loopback everything without credentials is simulated, with demo accounts and control APIs', async () => {
  expect(await choose(NPM_START)).toEqual({
    agency: true,
    payments: true,
    mailbox: true,
    agencyControl: true,
    paymentsControl: true,
    demoAccounts: true,
    isOutside: false,
  });
  expect(await simulated({ ...NPM_START, STRIPE_SECRET_KEY: 'sk' })).toEqual(['agency', 'mailbox']);
  expect(await simulated({ ...NPM_START, SMTP_URL: 'smtp://mail' })).toEqual(['agency', 'payments']);
  expect(await simulated({ ...NPM_START, ...AGENCY })).toEqual(['payments']);
  expect(await simulated({})).toEqual(['agency', 'payments']);
});

test.each(OUTSIDE)('outside loopback nothing is simulated unless it is named: %j', async (env) => {
  expect(await choose({ ...NPM_START, ...AGENCY, ...env })).toEqual({
    agency: false,
    payments: false,
    mailbox: false,
    agencyControl: false,
    paymentsControl: false,
    demoAccounts: false,
    isOutside: true,
  });
});

test.each(OUTSIDE)(
  'outside loopback a start without an agency is refused, and says what to set: %j',
  async (env) => {
    expect(await problemsOf({ ...NPM_START, ...env })).toEqual([
      'AGENCY_CLIENT_ID: is needed, with AGENCY_CLIENT_SECRET and AGENCY_BASE_URL; to try out the product with simulators, set SIMULATORS=agency,payments,mailbox',
    ]);
  },
);

test.each(OUTSIDE)(
  'outside loopback what is named is simulated, without demo accounts and control APIs: %j',
  async (env) => {
    const named = {
      SIMULATORS: 'agency, payments,mailbox',
      PAYMENTS_SIMULATOR_PUBLIC_URL: 'https://pay.example',
    };
    expect(await choose({ ...env, ...named })).toMatchObject({
      agency: true,
      payments: true,
      mailbox: true,
      agencyControl: false,
      paymentsControl: false,
      demoAccounts: false,
    });
    const controlled = { ...env, ...named, AGENCY_SIMULATOR_CONTROL: 'true' };
    expect(await choose(controlled)).toMatchObject({ agencyControl: true, paymentsControl: false });
  },
);

test('pages of another machine load the script of the payments simulator from where they can reach it, or there is none', async () => {
  const named = { ...AGENCY, ...POLICIES, SIMULATORS: 'payments', PUBLIC_URL: 'https://cases.example' };
  const problem = expect.stringMatching(/^PAYMENTS_SIMULATOR_PUBLIC_URL: is needed/);
  expect(await problemsOf(named)).toEqual([problem]);
  expect(await problemsOf({ ...named, PAYMENTS_SIMULATOR_PUBLIC_URL: 'http://127.0.0.1:8082' })).toEqual([
    problem,
  ]);
  expect(await problemsOf({ ...named, PAYMENTS_SIMULATOR_PUBLIC_URL: 'https://pay.example' })).toEqual([]);
  expect(await problemsOf({ ...AGENCY, SIMULATORS: 'payments', HOST: '0.0.0.0' })).toEqual([]);
});

test('none and a list are exactly what is simulated, on loopback too', async () => {
  expect(await simulated({ ...NPM_START, ...AGENCY, SIMULATORS: 'none' })).toEqual([]);
  expect(await simulated({ SIMULATORS: 'agency' })).toEqual(['agency']);
  expect(await simulated({ ...AGENCY, SIMULATORS: 'mailbox' })).toEqual(['mailbox']);
  expect(await problemsOf({ SIMULATORS: 'none' })).toEqual([
    expect.stringMatching(/^AGENCY_CLIENT_ID: is needed/),
  ]);
});

test('a simulator that is unknown, or named together with the real part, is refused', async () => {
  expect(await problemsOf({ SIMULATORS: 'agency,crystal-ball' })).toEqual([
    expect.stringContaining('must be none, or some of agency, payments, mailbox'),
  ]);
  expect(await problemsOf({ ...AGENCY, SIMULATORS: 'agency' })).toEqual([
    'SIMULATORS: names agency, but AGENCY_CLIENT_ID is set for the real one; unset one of them',
  ]);
  expect(await problemsOf({ AGENCY_NEXT_CLIENT_ID: 'newer', AGENCY_NEXT_CLIENT_SECRET: 'secret' })).toEqual([
    'AGENCY_NEXT_CLIENT_ID: is set, but the agency is simulated; set AGENCY_CLIENT_ID, too, or unset it',
  ]);
});
