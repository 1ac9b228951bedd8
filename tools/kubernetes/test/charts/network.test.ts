import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { renderChart } from '../../src/helm.ts';
import { at, environment, named, ofKind } from '../../src/manifest.ts';
import type { Manifest } from '../../src/parse-manifests.ts';

const FULL = 'r-casewatch';
let large: Manifest[];
let lockedDown: Manifest[];
beforeAll(async () => {
  [large = [], lockedDown = []] = await Promise.all(
    ['large', 'locked-down'].map((install) => renderChart([install])),
  );
}, 1_800_000);

describe('network', () => {
  const policies = (manifests: Manifest[]) => ofKind(manifests, 'NetworkPolicy');

  it('denies everything to every pod of the release but names', () => {
    const deny = named(lockedDown, 'NetworkPolicy', `${FULL}-default-deny`);
    expect(at(deny, 'spec', 'policyTypes')).toEqual(['Ingress', 'Egress']);
    expect(at(deny, 'spec', 'ingress')).toBeUndefined();
    expect(at(deny, 'spec', 'egress', 0, 'ports')).toEqual([
      { protocol: 'UDP', port: 53 },
      { protocol: 'TCP', port: 53 },
    ]);
  });

  it('looks names up where the values say', async () => {
    const otherNetwork = await renderChart(['locked-down'], {
      'networkPolicy.dns.to[0].ipBlock.cidr': '169.254.20.10/32',
      'networkPolicy.dns.ports[0]': '5353',
    });
    for (const policy of ['default-deny', 'migrate']) {
      const rule = at(named(otherNetwork, 'NetworkPolicy', `${FULL}-${policy}`), 'spec', 'egress', 0);
      expect(rule).toEqual({
        to: [{ ipBlock: { cidr: '169.254.20.10/32' } }],
        ports: [
          { protocol: 'UDP', port: 5353 },
          { protocol: 'TCP', port: 5353 },
        ],
      });
    }
  });

  it('lets only cases and billing out of the cluster', () => {
    const external = named(lockedDown, 'NetworkPolicy', `${FULL}-external`);
    expect(at(external, 'spec', 'podSelector', 'matchExpressions', 0, 'values')).toEqual([
      'cases',
      'billing',
    ]);
  });

  it('lets identity out, too, where administrators sign in with a provider', () => {
    const external = named(large, 'NetworkPolicy', `${FULL}-external`);
    expect(at(external, 'spec', 'podSelector', 'matchExpressions', 0, 'values')).toContain('identity');
  });

  it('lets notifications out, too, where push messages are sent, and only there', async () => {
    const expression = ['spec', 'podSelector', 'matchExpressions', 0, 'values'] as const;
    const external = named(large, 'NetworkPolicy', `${FULL}-external`);
    expect(at(external, ...expression)).toEqual(['cases', 'billing', 'identity', 'notifications']);
    const push = {
      'secrets.push.name': 'casewatch-push',
      'push.publicKey': `B${'A'.repeat(86)}`,
      'push.subject': 'mailto:ops@example.com',
    };
    const pushing = await renderChart(['locked-down'], push);
    expect(at(named(pushing, 'NetworkPolicy', `${FULL}-external`), ...expression)).toEqual([
      'cases',
      'billing',
      'notifications',
    ]);
  });

  it('gives and leads to Redis only those roles whose replicas share something there', () => {
    const roles = ['gateway', 'identity', 'notifications', 'streams'];
    const redis = named(large, 'NetworkPolicy', `${FULL}-redis`);
    expect(at(redis, 'spec', 'podSelector', 'matchExpressions', 0)).toEqual({
      key: 'app.kubernetes.io/component',
      operator: 'In',
      values: roles,
    });
    const given = ofKind(large, 'Deployment').filter((each) => environment(each).REDIS_URL);
    expect(given.map(({ metadata }) => metadata.name).sort()).toEqual(roles.map((role) => `${FULL}-${role}`));
  });

  it('lets only notifications out to the mail server, and no service where no mail is sent', () => {
    const mail = named(large, 'NetworkPolicy', `${FULL}-mail`);
    expect(at(mail, 'spec', 'podSelector', 'matchLabels', 'app.kubernetes.io/component')).toBe(
      'notifications',
    );
    expect(at(mail, 'spec', 'egress', 0, 'ports')).toContainEqual({ protocol: 'TCP', port: 587 });
    expect(policies(lockedDown).map(({ metadata }) => metadata.name)).not.toContain(`${FULL}-mail`);
  });

  it.each([
    ['kafka.brokers', 'b-1.msk.example.com:9096\\,b-2.msk.example.com:9096', 'data', 1, 9096],
    ['kafka.oauth.tokenUrl', 'https://id.example.com:8443/token', 'data', 2, 8443],
    ['redis.url', 'rediss://example.redis.cache.windows.net:10000', 'redis', 0, 10000],
    ['postgres.url', 'postgres://db.example.com:6432/casewatch', 'data', 0, 6432],
    ['push.hosts[0]', '*.push.example.com:8443', 'external', 0, 8443],
    ['singleSignOn.issuer', 'https://id.example.com:9443/realm', 'external', 0, 9443],
    ['agency.baseUrl', 'http://agency.test/', 'external', 0, 80],
    ['proxy.url', 'http://proxy.example.com:3128', 'external', 0, 3128],
    ['mail.url', 'smtps://user-less.example.com:2465', 'mail', 0, 2465],
    ['monitoring.otlpEndpoint', 'http://collector.observability:5318', 'between-roles', 1, 5318],
  ])('opens the port that %s names', async (value, given, policy, rule, port) => {
    const ports = (manifests: Manifest[]) =>
      at(named(manifests, 'NetworkPolicy', `${FULL}-${policy}`), 'spec', 'egress', rule, 'ports');
    const oauth = value.startsWith('kafka.oauth') ? { 'kafka.saslMechanism': 'oauthbearer' } : {};
    const manifests = await renderChart(['large'], { ...oauth, [value]: given });
    expect(ports(manifests)).toContainEqual({ protocol: 'TCP', port });
  });

  it('lets out to Azure’s Redis and Memorystore, whose URLs are in a secret', () => {
    const ports = at(named(large, 'NetworkPolicy', `${FULL}-redis`), 'spec', 'egress', 0, 'ports');
    for (const port of [6378, 6380, 10000]) expect(ports).toContainEqual({ protocol: 'TCP', port });
  });

  it('lets every pod out, the migrations before all others, and in as a mesh needs it', async () => {
    const own = await renderChart(['small'], {
      'networkPolicy.extraEgress[0].ports[0].port': '15012',
      'networkPolicy.extraIngress[0].ports[0].port': '15008',
    });
    const rules = (policy: string, way: string) =>
      at(named(own, 'NetworkPolicy', `${FULL}-${policy}`), 'spec', way);
    for (const policy of ['default-deny', 'migrate'])
      expect(rules(policy, 'egress')).toContainEqual({ ports: [{ port: 15012 }] });
    expect(rules('default-deny', 'ingress')).toEqual([{ ports: [{ port: 15008 }] }]);
  });

  it('lets in only whom the values name', () => {
    const gateway = named(lockedDown, 'NetworkPolicy', `${FULL}-gateway`);
    const from = at(gateway, 'spec', 'ingress', 0, 'from', 0, 'namespaceSelector', 'matchLabels');
    expect(from).toEqual({ 'kubernetes.io/metadata.name': 'gateways' });
  });

  it('can be left out, for policies of your own', async () => {
    expect(policies(await renderChart(['small'], { 'networkPolicy.enabled': 'false' }))).toEqual([]);
  });
});

describe('the way in', () => {
  it('leads from the host of publicUrl to the gateway, by Ingress and by HTTPRoute', () => {
    const rule = at(named(large, 'Ingress', FULL), 'spec', 'rules', 0);
    expect(at(rule, 'host')).toBe('casewatch.example.com');
    expect(at(rule, 'http', 'paths', 0, 'backend', 'service', 'name')).toBe(`${FULL}-gateway`);
    const route = named(large, 'HTTPRoute', FULL);
    expect(at(route, 'spec', 'hostnames')).toEqual(['casewatch.example.com']);
    expect(at(route, 'spec', 'rules', 0, 'backendRefs', 0)).toMatchObject({
      name: `${FULL}-gateway`,
      port: 8080,
    });
    expect(at(route, 'spec', 'rules', 0, 'timeouts')).toEqual({ request: '0s' });
  });

  it('leads from further hosts, too', async () => {
    const hosts = ['casewatch.example.com', 'cases.example.org'];
    const manifests = await renderChart(['large'], { 'extraHosts[0]': 'cases.example.org' });
    const { rules, tls } = z
      .object({
        rules: z.array(z.object({ host: z.string() })),
        tls: z.array(z.object({ hosts: z.unknown() })),
      })
      .parse(named(manifests, 'Ingress', FULL).spec);
    expect(rules.map(({ host }) => host)).toEqual(hosts);
    expect(tls[0]?.hosts).toEqual(hosts);
    expect(at(named(manifests, 'HTTPRoute', FULL), 'spec', 'hostnames')).toEqual(hosts);
  });

  it('is open over IPv6 where Services have it', async () => {
    const dual = await renderChart(['large', 'small'], {
      'service.ipFamilyPolicy': 'PreferDualStack',
      'simulators.payments.enabled': 'true',
      'secrets.stripe.name': '',
    });
    for (const { spec } of ofKind(dual, 'Service'))
      expect(spec).toMatchObject({ ipFamilyPolicy: 'PreferDualStack' });
    expect(at(named(dual, 'ConfigMap', FULL), 'data', 'HOST')).toBe('::');
    const simulator = environment(named(dual, 'Deployment', `${FULL}-agency-simulator`));
    expect(simulator.AGENCY_SIMULATOR_HOST).toBe('::');
    const alone = await renderChart(['large'], { 'service.ipFamilies[0]': 'IPv6' });
    expect(at(named(alone, 'ConfigMap', FULL), 'data', 'HOST')).toBe('::');
    expect(at(named(large, 'ConfigMap', FULL), 'data', 'HOST')).toBe('0.0.0.0');
  });

  it('leaves the port of publicUrl out of the host', async () => {
    const manifests = await renderChart(['large'], { publicUrl: 'http://casewatch.test:8443' });
    expect(at(named(manifests, 'Ingress', FULL), 'spec', 'rules', 0, 'host')).toBe('casewatch.test');
  });
});
