import { expect, it } from 'vitest';
import { chartFolder, helm, renderChart, valueWords } from '../src/helm.ts';

const refused = (set: Record<string, string>, install = 'small') =>
  renderChart([install], set).then(
    () => '',
    (error) => String(error.stderr),
  );

it('names everything that is missing at once', async () => {
  const said = await helm(['template', 'r', chartFolder]).catch((error) => String(error.stderr));
  for (const value of [
    'publicUrl',
    'kafka.brokers',
    'secrets.database.name',
    'secrets.internal.name',
    'secrets.redis.name',
    'secrets.agency.name',
  ])
    expect(said).toContain(value);
});

it.each([
  [{ publicUrl: 'casewatch.example.com' }, /publicUrl/],
  [{ 'kafka.brokers': 'kafka' }, /brokers/],
  [{ 'kafka.saslMechanism': 'gssapi' }, /saslMechanism/],
  [{ 'kafka.partitions': '0' }, /partitions/],
  [{ logLevel: 'loud' }, /logLevel/],
  [{ 'defaults.replicas': '-1' }, /replicas/],
  [{ 'services.cashes.replicas': '1' }, /cashes/],
  [{ 'ingress.tlsSecrets': 'x' }, /tlsSecrets/],
  [{ 'image.digest': 'latest' }, /digest/],
  [{ 'agency.callsPerSecond': 'many' }, /callsPerSecond/],
])('refuses %o and says where the fault is', async (set, place) => {
  expect(await refused(set)).toMatch(place);
});

it('refuses a SASL mechanism without the secret that it needs', async () => {
  expect(await refused({ 'kafka.saslMechanism': 'plain' })).toContain('secrets.kafka.name');
});

it('refuses a route without a Gateway, and fewer replicas at most than at least', async () => {
  expect(await refused({ 'httpRoute.enabled': 'true' })).toContain('httpRoute.parentRefs');
  expect(await refused({ 'services.cases.autoscaling.minReplicas': '9' })).toContain(
    'services.cases.autoscaling',
  );
});

it('refuses a password among the settings: secrets are only referred to', async () => {
  expect(await refused({ 'settings.INTERNAL_SECRET': 'plainly-visible' })).toMatch(/INTERNAL_SECRET/);
});

it('takes every install of ci/ as it stands', async () => {
  for (const install of ['small', 'large', 'locked-down']) {
    expect(await helm(['template', 'r', chartFolder, ...valueWords([install])])).toContain(
      'kind: Deployment',
    );
  }
});
