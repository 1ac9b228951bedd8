import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MACHINE_ADDRESS } from '../src/machine.ts';
import { reaches, removePod, runPod } from '../src/pod-actions.ts';
import { openRelease } from './open-release.ts';

/** What the chart's NetworkPolicies let through on a real node, tried from inside pods. */

const world = openRelease();
const IDLE = { words: ['-e', 'setInterval(() => {}, 1000)'] };
const OTHER_NAMESPACE = 'other';
/** The release's labels, but for the one that says which role. */
const OURS = {
  'app.kubernetes.io/name': 'casewatch',
  'app.kubernetes.io/instance': 'casewatch',
  'app.kubernetes.io/component': 'test',
};
const outsideOf = (name: 'database' | 'kafka' | 'redis') =>
  `${MACHINE_ADDRESS}:${world.release.outside.ports[name]}`;
const innerOf = (role: string) => `casewatch-${role}.shop.svc.cluster.local:8080`;
const all = (names: readonly string[], word: string) => Object.fromEntries(names.map((name) => [name, word]));
const services = () =>
  [...world.release.roles.filter((role) => role !== 'gateway'), 'agency-simulator'].map(innerOf);

beforeAll(async () => {
  const { release } = world;
  await release.node.kubectl(['create', 'namespace', OTHER_NAMESPACE]);
  await runPod(release, 'outsider', IDLE);
  await runPod(release, 'outsider', { ...IDLE, namespace: OTHER_NAMESPACE });
  await runPod(release, 'idle', { ...IDLE, labels: OURS });
  await world.policies.applied();
}, 400_000);
afterAll(async () => {
  const { release } = world;
  for (const name of ['outsider', 'idle']) await removePod(release, name);
  await removePod(release, 'outsider', OTHER_NAMESPACE);
  await release.node.kubectl(['delete', 'namespace', OTHER_NAMESPACE, '--wait']);
}, 200_000);

describe('the network policies', () => {
  it.each(['shop', OTHER_NAMESPACE])(
    'let an outsider of the namespace %s reach the gateway and no service',
    async (namespace) => {
      const found = await reaches(world.release, 'outsider', [innerOf('gateway'), ...services()], namespace);
      expect(found).toEqual({ [innerOf('gateway')]: 'open', ...all(services(), 'shut') });
    },
    60_000,
  );

  it('let only named scrapers read metrics', async () => {
    const { release } = world;
    const addresses = (
      await release.kubectl(
        ...['get', 'pods', '-l', 'app.kubernetes.io/instance=casewatch,app.kubernetes.io/component!=test'],
        ...['-o', 'jsonpath={range .items[*]}{.status.podIP}{"\\n"}{end}'],
      )
    )
      .split('\n')
      .filter(Boolean)
      .map((address) => `${address}:9464`);
    expect(await reaches(release, 'outsider', addresses)).toEqual(all(addresses, 'shut'));
  }, 60_000);

  it('let the gateway reach every service and Redis, and neither database nor Kafka', async () => {
    const to = [...services(), outsideOf('redis'), outsideOf('database'), outsideOf('kafka')];
    expect(await reaches(world.release, 'deploy/casewatch-gateway', to)).toEqual({
      ...all([...services(), outsideOf('redis')], 'open'),
      ...all([outsideOf('database'), outsideOf('kafka')], 'shut'),
    });
  }, 60_000);

  it('let each service reach database and Kafka, those that share something Redis, and nothing else outside', async () => {
    const { release } = world;
    const to = [outsideOf('database'), outsideOf('kafka')];
    const redis = outsideOf('redis');
    const not = ['kubernetes.default.svc.cluster.local:443'];
    for (const role of release.roles.filter((each) => each !== 'gateway')) {
      const found = await reaches(release, `deploy/casewatch-${role}`, [...to, redis, ...not]);
      const shares = ['identity', 'notifications', 'streams'].includes(role);
      expect(found, role).toEqual({
        ...all(to, 'open'),
        ...all(not, 'shut'),
        [redis]: shares ? 'open' : 'shut',
      });
    }
  }, 200_000);

  it('deny a pod of the release everything outside that its role has no need of', async () => {
    const to = [outsideOf('database'), outsideOf('kafka'), outsideOf('redis')];
    expect(await reaches(world.release, 'idle', to)).toEqual(all(to, 'shut'));
  }, 60_000);

  it('are what shuts an outsider out: without them it gets through', async () => {
    const { release, policies } = world;
    await release.kubectl('delete', 'networkpolicy', '--all');
    await policies.applied();
    const to = [...services(), outsideOf('database'), outsideOf('kafka'), outsideOf('redis')];
    expect(await reaches(release, 'outsider', to)).toEqual(all(to, 'open'));
    await release.bring();
    await policies.applied();
    expect(await reaches(release, 'outsider', services())).toEqual(all(services(), 'shut'));
  }, 900_000);
});
