import { describe, expect, it } from 'vitest';
import { chartFolder, helm, INSTALLS, OPERATOR_WORDS, renderChart, valueWords } from '../../src/helm.ts';

const refused = (set: Record<string, string>, install = 'small') =>
  renderChart([install], set).then(
    () => '',
    (error) => String(error.stderr),
  );

it('names everything that is missing at once', async () => {
  const output = await helm(['template', 'r', chartFolder]).catch((error) => String(error.stderr));
  for (const value of [
    'publicUrl',
    'kafka.brokers',
    'secrets.database.name',
    'secrets.internal.name',
    'secrets.redis.name',
    'secrets.agency.name',
  ])
    expect(output).toContain(value);
});

it.each([
  [{ publicUrl: 'casewatch.example.com' }, /publicUrl/],
  [{ 'support.email': 'help' }, /support/],
  [{ 'operator.email': 'help' }, /operator/],
  [{ 'policies.date': 'today' }, /policies/],
  [{ 'policies.elsewhere.imprint': 'https://agency.example' }, /imprint.*privacy/s],
  [{ 'kafka.brokers': 'kafka' }, /brokers/],
  [{ 'kafka.saslMechanism': 'gssapi' }, /saslMechanism/],
  [{ 'kafka.partitions': '0' }, /partitions/],
  [{ logLevel: 'loud' }, /logLevel/],
  [{ 'defaults.replicas': '-1' }, /replicas/],
  [{ 'services.cashes.replicas': '1' }, /cashes/],
  [{ 'ingress.tlsSecrets': 'x' }, /tlsSecrets/],
  [{ 'image.digest': 'latest' }, /digest/],
  [{ 'agency.callsPerSecond': 'many' }, /callsPerSecond/],
  [{ 'agency.demoId': 'none' }, /demoId/],
  [{ 'agency.keyIssued': '1 March 2026' }, /keyIssued/],
  [{ 'agency.keyDays': '0' }, /keyDays/],
  [{ 'agency.nextKeyIssued': '2026-03-01' }, /agency\.nextKeys: .*next-client-id/],
  [{ 'settings.AGENCY_NEXT_CLIENT_SECRET': 'x' }, /AGENCY_NEXT_CLIENT_SECRET/],
  [{ 'settings.AGENCY_HEADERS': 'x' }, /AGENCY_HEADERS/],
  [{ 'secrets.mail.name': 'Not A Name' }, /mail/],
  [{ 'mail.from': 'Casewatch' }, /mail/],
  [{ 'inCluster.kafka.replicas': '2' }, /replicas/],
  [{ 'inCluster.postgresql.storageSize': 'big' }, /storageSize/],
  [{ 'defaults.disruptionBudget.maxUnavailable': 'half' }, /maxUnavailable/],
  // Nothing could be drained from a node then.
  [{ 'defaults.disruptionBudget.maxUnavailable': '0' }, /maxUnavailable/],
  [{ 'defaults.resources.request.cpu': '1' }, /resources/],
  [{ 'networkPolicy.database.ports[0]': '70000' }, /ports/],
  [{ 'networkPolicy.kafka.to[0].namespace': 'data' }, /networkPolicy/],
  [{ 'postgres.url': 'postgres://user:password@db/casewatch' }, /postgres/],
  [{ 'redis.url': 'rediss://:password@redis:6380' }, /redis/],
  [{ 'settings.REDIS_PASSWORD': 'x' }, /REDIS_PASSWORD/],
  [{ 'mail.url': 'smtps://mail.example.com:465' }, /secrets\.mail\.name: mail\.url/],
  [
    { 'services.cases.autoscaling.enabled': 'true', 'services.cases.replicas': '5' },
    /minReplicas: below replicas \(5\)/,
  ],
  [{ 'commonLabels.app\\.kubernetes\\.io/name': 'mine' }, /commonLabels/],
])('refuses %o and names the wrong value', async (set, place) => {
  expect(await refused(set)).toMatch(place);
});

it.each([
  ['https://api.uscis.gov', true],
  ['https://api.uscis.gov.', true],
  ['https://api.uscis.gov:443/v1', true],
  ['https://api-int.uscis.gov', false],
  ['https://api-int.uscis.gov.', false],
  ['https://api.uscis.gov.example.org', false],
])('refuses %s without a daily quota of its own: %s', async (baseUrl, isRefused) => {
  const set = { 'agency.baseUrl': baseUrl };
  const problem = 'agency.callsPerDay: agency.baseUrl is in production';
  expect((await refused(set, 'single')).includes(problem)).toBe(isRefused);
  // Carried over from the sandbox.
  const sandbox = { ...set, 'agency.callsPerDay': '1000' };
  expect((await refused(sandbox, 'single')).includes(problem)).toBe(isRefused);
  expect(await refused({ ...set, 'agency.callsPerDay': '150000' }, 'single')).toBe('');
});

it.each([
  'https://API.USCIS.GOV',
  'https://me:secret@api.uscis.gov',
  'https://api%2Euscis.gov',
  'https:\\\\api.uscis.gov',
])('refuses %s as the address of the agency', async (baseUrl) =>
  expect(await refused({ 'agency.baseUrl': baseUrl })).toMatch(/baseUrl/),
);

it('refuses a SASL mechanism without the secret that it needs', async () => {
  expect(await refused({ 'kafka.saslMechanism': 'plain' })).toContain('secrets.kafka.name');
});

it('refuses a ServiceMonitor whose scrapes the network policies would block', async () => {
  const monitor = { 'monitoring.serviceMonitor.enabled': 'true' };
  expect(await refused(monitor)).toContain('networkPolicy.metricsFrom');
  expect(await refused({ ...monitor, 'networkPolicy.enabled': 'false' })).toBe('');
  expect(await refused({ ...monitor, 'networkPolicy.metricsFrom[0].podSelector.matchLabels.app': 'p' })).toBe(
    '',
  );
});

it.each([
  [{ 'kafka.replication': '-1' }, /kafka\.replication: at least 3/],
  [{ 'kafka.replication': '1' }, /kafka\.replication: at least 3/],
  [{ 'kafka.minInSyncReplicas': '1' }, /kafka\.minInSyncReplicas: at least 2/],
  [{ 'kafka.minInSyncReplicas': '3' }, /below kafka\.replication/],
])('refuses topics that lose events or stop with one broker, such as %o', async (set, place) => {
  expect(await refused(set, 'locked-down')).toMatch(place);
  // Evaluation, where one broker is enough.
  expect(await refused(set)).toBe('');
});

it('refuses alerts that lead to no runbook', async () => {
  expect(await refused({ 'monitoring.rules.enabled': 'true' })).toContain('monitoring.rules.runbookBaseUrl');
});

it('refuses people of other machines without who runs the installation, and names each value that lacks', async () => {
  const places = { publicUrl: 'https://casewatch.example.com' };
  const said = await refused(places);
  for (const name of [
    'policies.date',
    ...['name', 'address', 'jurisdiction', 'email'].map((one) => `operator.${one}`),
  ])
    expect(said).toContain(`- ${name}: `);
  const pages = ['privacy', 'terms', 'accessibility', 'cookies', 'contact'];
  const elsewhere = Object.fromEntries(
    pages.map((page) => [`policies.elsewhere.${page}`, `https://agency.example/${page}`]),
  );
  expect(await refused({ ...places, ...elsewhere })).toMatch(/- policies\.date: /);
  expect(await refused({ ...places, ...elsewhere })).not.toContain('operator.');
  expect(await refused({ publicUrl: 'http://127.0.0.1:8080' })).toBe('');
  expect(await refused({ publicUrl: 'http://localhost.example.com' })).toContain('operator.name');
});

it('refuses e-mails without a sender', async () => {
  expect(await refused({ 'secrets.mail.name': 'casewatch-mail' })).toContain('mail.from');
});

it('refuses single sign-on without the secret of the client, and with a role that there is not', async () => {
  const issuer = { 'singleSignOn.issuer': 'https://id.example.com' };
  expect(await refused(issuer)).toContain('secrets.singleSignOn.name');
  expect(await refused({ ...issuer, 'singleSignOn.roles.ops': 'root' })).toMatch(/roles/);
});

describe('push messages', () => {
  const PUSH = {
    'secrets.push.name': 'casewatch-push',
    'push.publicKey': `B${'A'.repeat(86)}`,
    'push.subject': 'mailto:ops@example.com',
  };

  it.each(Object.keys(PUSH))('refuses them without %s, and says what they need', async (lacking) => {
    const rest = Object.fromEntries(Object.entries(PUSH).filter(([name]) => name !== lacking));
    expect(await refused(rest)).toMatch(new RegExp(`- ${lacking}: push messages need .*npm run push-keys`));
  });

  it('refuses hosts of push services where none is sent', async () => {
    expect(await refused({ 'push.hosts[0]': 'push.example.com' })).toContain('push.subject: push messages');
    expect(await refused({ ...PUSH, 'push.hosts[0]': 'push.example.com' })).toBe('');
  });

  it.each([
    ['push.publicKey', 'short'],
    ['push.subject', 'ops@example.com'],
    ['push.hosts[0]', 'https://push.example.com/'],
  ])('refuses %s=%s', async (name, value) => {
    expect(await refused({ ...PUSH, [name]: value })).toMatch(/push.*pattern/s);
  });
});

it('refuses a route without a Gateway, and fewer replicas at most than at least', async () => {
  expect(await refused({ 'httpRoute.enabled': 'true' })).toContain('httpRoute.parentRefs');
  expect(await refused({ 'services.cases.autoscaling.minReplicas': '9' })).toContain(
    'services.cases.autoscaling',
  );
});

it.each(['INTERNAL_SECRET', 'SMTP_URL', 'DATABASE_URL', 'DATABASE_DIRECT_URL', 'PUSH_VAPID_PRIVATE_KEY'])(
  'refuses %s among the settings: secrets are only referred to',
  async (name) => {
    expect(await refused({ [`settings.${name}`]: 'plainly-visible' })).toMatch(name);
    expect(await refused({ [`services.cases.env.${name}`]: 'plainly-visible' })).toMatch(name);
  },
);

describe('data stores in the cluster', () => {
  const refusedInside = (set: Record<string, string>) => refused(set, 'evaluation');

  it.each([
    ['postgresql', 'CloudNativePG', 'postgresql.cnpg.io/v1'],
    ['kafka', 'Strimzi', 'kafka.strimzi.io/v1'],
    ['redis', 'OT-CONTAINER-KIT', 'redis.redis.opstreelabs.in/v1beta2'],
  ])(
    '%s is refused where its operator is not, with its name and what it serves',
    async (_, operator, served) => {
      const words = ['template', 'r', chartFolder, ...valueWords(['evaluation'])];
      const output = await helm(words).catch((error) => String(error.stderr));
      expect(output).toContain(`install the ${operator}`.replace('the OT', 'the Redis operator of OT'));
      expect(output).toContain(`does not know ${served}`);
    },
  );

  it.each([
    [{ 'secrets.database.name': 'x' }, /inCluster\.postgresql\.enabled: take either/],
    [{ 'kafka.brokers': 'kafka:9092' }, /inCluster\.kafka\.enabled: take either/],
    [{ 'secrets.redis.name': 'x' }, /inCluster\.redis\.enabled: take either/],
    [{ 'inCluster.postgresql.roleSecretPrefix': '' }, /roleSecretPrefix/],
    [{ 'inCluster.redis.passwordSecret.name': '' }, /passwordSecret/],
    [{ 'keda.enabled': 'true' }, /keda\.enabled/],
    [{ 'postgres.pooler.enabled': 'true' }, /postgres\.pooler\.enabled/],
  ])('%o does not go with it', async (set, place) => {
    expect(await refusedInside(set)).toMatch(place);
  });
});

it('takes every install of ci/ as it stands', async () => {
  for (const install of INSTALLS) {
    const words = ['template', 'r', chartFolder, ...OPERATOR_WORDS, ...valueWords([install])];
    expect(await helm(words)).toContain('kind: Deployment');
  }
});
