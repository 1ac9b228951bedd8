import { expect, it } from 'vitest';
import { chartFolder, helm, valueWords } from '../../src/helm.ts';

/** What helm says after an install, without a cluster. */
async function notes(install: string): Promise<string> {
  const words = ['install', 'r', chartFolder, '-n', 'shop', '--dry-run=client', ...valueWords([install])];
  const said = await helm(words, { KUBECONFIG: '/dev/null' });
  return said.slice(said.indexOf('\nNOTES:'));
}

it('tells the next step: see it ready, try it, open it', async () => {
  const said = await notes('large');
  expect(said).toContain('kubectl -n shop rollout status deployment -l app.kubernetes.io/instance=r');
  expect(said).toContain('helm test r -n shop --logs');
  expect(said).toContain('3. Open https://casewatch.example.com');
  expect(said).not.toMatch(/port-forward|admin area is off|Nobody/);
});

it('says what is off, and how to reach what nothing leads to', async () => {
  const said = await notes('small');
  for (const value of [
    'secrets.admin.name',
    'secrets.stripe.name',
    'secrets.mail.name',
    'secrets.push.name',
  ]) {
    expect(said).toContain(value);
  }
  expect(said).toContain('port-forward service/r-casewatch-gateway 8080:8080');
  expect(said).toContain('for trying out only');
}, 60_000);

it('says how many connections PostgreSQL has to allow', async () => {
  expect(await notes('large')).toContain('allow up to 1252 connections');
}, 60_000);
