import { expect, it } from 'vitest';
import { chartFolder, helm, valueWords } from '../../src/helm.ts';

/** What helm says after an install, without a cluster. */
async function notes(install: string, set: Record<string, string> = {}): Promise<string> {
  const words = [
    'install',
    'r',
    chartFolder,
    '-n',
    'shop',
    '--dry-run=client',
    ...valueWords([install], set),
  ];
  const output = await helm(words, { KUBECONFIG: '/dev/null' });
  return output.slice(output.indexOf('\nNOTES:'));
}

it('shows the next step: see it ready, try it, open it', async () => {
  const output = await notes('large');
  expect(output).toContain('kubectl -n shop rollout status deployment -l app.kubernetes.io/instance=r');
  expect(output).toContain('helm test r -n shop --logs');
  expect(output).toContain('3. Open https://casewatch.example.com');
  expect(output).not.toMatch(/port-forward|has no passcode|Nobody/);
});

it('says what is off, and how to reach what nothing leads to', async () => {
  const output = await notes('small');
  for (const value of [
    'secrets.admin.name',
    'secrets.stripe.name',
    'secrets.mail.name',
    'secrets.push.name',
  ]) {
    expect(output).toContain(value);
  }
  expect(output).toContain('port-forward service/r-casewatch-gateway 8080:8080');
  expect(output).toContain('for evaluation only');
}, 60_000);

it.each([
  ['small', 'identity'],
  ['single', 'all'],
])(
  'says how administrators get in without a passcode: %s',
  async (install, role) => {
    const output = await notes(install);
    expect(output).not.toContain('admin area is off');
    expect(output).toContain(
      `exec deploy/r-casewatch-${role} -- node dist/container.js admins invite <e-mail address> --role owner`,
    );
  },
  60_000,
);

it('says how many connections PostgreSQL has to allow', async () => {
  expect(await notes('large')).toContain('allow up to 1265 connections');
}, 60_000);

it('says how to pay where payments are simulated, and not that they are off', async () => {
  const on = { 'simulators.payments.enabled': 'true' };
  const output = await notes('small', on);
  expect(output).toContain('the card 4242 4242 4242 4242 pays');
  expect(output).toContain('port-forward service/r-casewatch-payments-simulator 8082:8080');
  expect(output).not.toContain('Payments are off');
  const own = { ...on, 'simulators.payments.publicUrl': 'https://payments.example.com' };
  expect(await notes('small', own)).not.toContain('r-casewatch-payments-simulator');
}, 60_000);

it('of a stopped release says what is left, and how to start it again, and nothing of pods that do not run', async () => {
  const output = await notes('large', { stopped: 'true' });
  expect(output).toContain('STOPPED (stopped: true): no pod of a role runs');
  expect(output).toContain('helm upgrade r <chart> -n shop -f <your values>');
  expect(output).not.toMatch(/rollout status|helm test|port-forward|kubectl/);
  expect(await notes('large')).not.toContain('STOPPED');
}, 60_000);
