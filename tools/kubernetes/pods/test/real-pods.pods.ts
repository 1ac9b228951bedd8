import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { serviceUrl } from '@casewatch/platform/db/service-url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { chartFolder, helm, valueWords } from '../../src/helm.ts';
import { enforcePolicies, type PolicyEnforcer } from '../src/enforce-policies.ts';
import { MACHINE_ADDRESS } from '../src/machine.ts';
import { type OutsideServices, startOutsideServices } from '../src/outside-services.ts';
import { makePodImages, PRODUCT_REPOSITORY, VERSIONS } from '../src/pod-images.ts';
import { type RealNode, startRealNode } from '../src/real-node.ts';
import { createWatcher, patiently, type Watcher } from '../src/watcher.ts';

/** The chart and the image on a real node: containers run, Services route, policies hold, the kernel kills. */

const NAMESPACE = 'shop';
const RELEASE = 'casewatch';
const ORIGIN = 'http://localhost:8080';
const IMAGE = `${PRODUCT_REPOSITORY}:${VERSIONS[0]}`;
const loadProgram = readFileSync(fileURLToPath(new URL('../src/load.mjs', import.meta.url)), 'utf8');
/** Besides the gateway, each with a schema of its own. */
const services = Object.keys(parse(readFileSync(path.join(chartFolder, 'values.yaml'), 'utf8')).services);
const RESTRICTED = {
  allowPrivilegeEscalation: false,
  readOnlyRootFilesystem: true,
  capabilities: { drop: ['ALL'] },
};

let node: RealNode;
let outside: OutsideServices;
let policies: PolicyEnforcer;
let images: { archives: string[]; remove(): void };
let values: string[];

const k = (...words: string[]) => node.kubectl(['-n', NAMESPACE, ...words]);
const h = (...words: string[]) => helm([...words, '-n', NAMESPACE], { KUBECONFIG: node.kubeconfig });
const upgrade = (...set: string[]) =>
  h('upgrade', RELEASE, chartFolder, ...values, ...set, '--wait', '--timeout', '400s');

beforeAll(async () => {
  images = await makePodImages();
  node = await startRealNode(images.archives);
  outside = await startOutsideServices();
  policies = enforcePolicies(node.kubectl);
  await node.kubectl(['create', 'namespace', NAMESPACE]);
  await node.kubectl(['label', 'namespace', NAMESPACE, 'pod-security.kubernetes.io/enforce=restricted']);
  await patiently(
    'there is a default service account',
    async () => (await k('get', 'serviceaccount', 'default', '-o', 'name')) !== '',
  );
  await makeSecrets();
  values = [...valueWords(['small'], chartValues()), '--set-json', `networkPolicy=${policyValues()}`];
}, 1_800_000);

afterAll(async () => {
  await policies?.stop();
  await outside?.stop();
  await node?.stop();
  images?.remove();
}, 180_000);

describe('the install', () => {
  it('is into a namespace that refuses pods which are not restricted', async () => {
    await expect(k('run', 'plain', '--image', IMAGE)).rejects.toThrow(/violates PodSecurity "restricted/);
  });

  it('comes up whole, with Kafka, PostgreSQL and Redis outside the cluster', async () => {
    await h('install', RELEASE, chartFolder, ...values, '--wait', '--timeout', '400s').catch(tellMore);
    const { items } = JSON.parse(await k('get', 'deployments', '-o', 'json'));
    expect(items).toHaveLength(services.length + 1);
    for (const { status, spec } of items) expect(status.readyReplicas).toBe(spec.replicas);
  }, 500_000);

  it('passes helm test: sign up, look up, save, watch, and hear of a move', async () => {
    const said = await h('test', RELEASE, '--logs', '--timeout', '120s').catch(tellMore);
    expect(said).toContain('the main flow works');
  }, 150_000);

  it('lets no stranger reach a service, and none of its own pods reach what it does not need', async () => {
    await runPod('stranger', ['-e', 'setInterval(() => {}, 1000)'], {});
    await k('wait', '--for=condition=Ready', 'pod/stranger', '--timeout=60s');
    await policies.applied();
    const identity = `http://${RELEASE}-identity:8080/livez`;
    const gateway = `http://${RELEASE}-gateway:8080/livez`;
    expect(await reach('stranger', gateway)).toBe('open');
    expect(await reach('stranger', identity)).toMatch(/^shut/);
    expect(await reach(`deploy/${RELEASE}-gateway`, identity)).toBe('open');
    const database = `http://${MACHINE_ADDRESS}:${outside.ports.database}/`;
    expect(await reach(`deploy/${RELEASE}-gateway`, database)).toMatch(/^shut TimeoutError/);
    // Without a policy the same stranger gets through: it is the policy that shuts it out.
    await k('delete', 'networkpolicy', '--all');
    await policies.applied();
    expect(await reach('stranger', identity)).toBe('open');
    await k('delete', 'pod', 'stranger', '--grace-period=0', '--force');
    await upgrade();
    await policies.applied();
  }, 500_000);
});

describe('under load', () => {
  it('an upgrade of every role fails no request', async () => {
    const load = await startLoad();
    await upgrade('--set', `image.tag=${VERSIONS[1]}`).catch(tellMore);
    const { requests, failed, faults } = await load.end();
    console.log(`upgrade: ${requests} requests, ${failed} failed`);
    expect(faults).toEqual({});
    expect(requests).toBeGreaterThan(100);
    expect(await tagsInUse()).toEqual(new Set([VERSIONS[1]]));
  }, 600_000);

  it('a rollback fails no request', async () => {
    const load = await startLoad();
    await h('rollback', RELEASE, '--wait', '--timeout', '400s').catch(tellMore);
    const { requests, failed, faults } = await load.end();
    console.log(`rollback: ${requests} requests, ${failed} failed`);
    expect(faults).toEqual({});
    expect(requests).toBeGreaterThan(100);
    expect(await tagsInUse()).toEqual(new Set([VERSIONS[0]]));
  }, 600_000);

  it('without the pause before the stop the same load does fail, so that it can see a broken rollout', async () => {
    await upgrade('--set', 'defaults.preStopSeconds=0,defaults.drainSeconds=1');
    const load = await startLoad();
    for (const role of ['gateway', 'cases', 'identity', 'gateway', 'notifications', 'cases']) {
      await k('rollout', 'restart', `deployment/${RELEASE}-${role}`);
      await k('rollout', 'status', `deployment/${RELEASE}-${role}`, '--timeout=200s');
    }
    const { requests, failed, faults } = await load.end();
    console.log(`control: ${requests} requests, ${failed} failed`, faults);
    expect(failed).toBeGreaterThan(0);
    await upgrade();
  }, 900_000);
});

describe('while cases move', () => {
  const receipts = ['EAC1000000001', 'EAC1000000002', 'EAC1000000003'];
  let watcher: Watcher;

  it('they are watched', async () => {
    watcher = await createWatcher(await addressOf('gateway'), await addressOf('agency-simulator'), ORIGIN);
    await watcher.watch(receipts);
  }, 120_000);

  it.each(services)(
    'SIGKILL of %s loses nothing and doubles nothing',
    async (role) => {
      await hearExactlyOnce(`Killed ${role}`, role, async () => {
        const { container } = await podOf(role);
        await node.ctr(['task', 'kill', '-s', 'SIGKILL', container]);
      });
    },
    240_000,
  );

  it.each(['monitoring', 'cases', 'notifications'])(
    'out of memory in %s: killed by the kernel, started again, nothing lost and nothing doubled',
    async (role) => {
      await hearExactlyOnce(`Starved ${role}`, role, async () => {
        const { name, container } = await podOf(role);
        const tasks = await node.ctr(['task', 'ls']);
        const pid = tasks
          .split('\n')
          .find((line) => line.startsWith(container))
          ?.split(/\s+/)[1];
        // The kernel takes the service, not one of the small programs that eat the memory beside it.
        writeFileSync(`/proc/${pid}/oom_score_adj`, '1000');
        const eat = '(head -c 40m /dev/zero; sleep 10) | tail >/dev/null &';
        const all = `for i in 1 2 3 4 5 6 7 8 9; do ${eat} done; wait`;
        await k('exec', name, '--', 'sh', '-c', all).catch(() => undefined);
        await patiently('the service was killed for its memory', async () => {
          return (await podOf(role)).lastReason === 'OOMKilled';
        });
      });
    },
    240_000,
  );

  /** Moves every case, does `harm`, and waits until the role is back and each move was told. */
  async function hearExactlyOnce(status: string, role: string, harm: () => Promise<void>): Promise<void> {
    const before = await podOf(role);
    const moved = Promise.all(receipts.map((receipt) => watcher.move(receipt, status)));
    await Promise.all([moved, harm()]);
    await patiently(`${role} is back`, async () => {
      const now = await podOf(role);
      return now.restarts > before.restarts && now.ready;
    });
    const counts = () => Promise.all(receipts.map((receipt) => watcher.told(receipt, status)));
    await patiently('every move was told', async () => (await counts()).every((count) => count > 0), 120_000);
    // Twice the period of a check: what is told twice would be there by then.
    await pause(4_000);
    expect(await counts()).toEqual(receipts.map(() => 1));
  }
});

describe('the uninstall', () => {
  it('leaves nothing of the release behind', async () => {
    await h('uninstall', RELEASE, '--wait', '--timeout', '200s');
    // The pod of `helm test` is no part of the release: it stays, with its log, until the next test.
    const own = `app.kubernetes.io/instance=${RELEASE},app.kubernetes.io/component!=test`;
    await k('wait', '--for=delete', 'pod', '-l', own, '--timeout=120s');
    const kinds =
      'deployments,services,configmaps,pods,jobs,networkpolicies,serviceaccounts,poddisruptionbudgets';
    const left = await k('get', kinds, '-l', own, '-o', 'name');
    expect(left.trim()).toBe('');
  }, 360_000);
});

function chartValues(): Record<string, string> {
  const small = 'resources.requests.cpu';
  return {
    'image.repository': PRODUCT_REPOSITORY,
    'image.tag': VERSIONS[0],
    'image.pullPolicy': 'Never',
    publicUrl: ORIGIN,
    'kafka.brokers': outside.brokers.replaceAll(',', '\\,'),
    'kafka.partitions': '2',
    [`defaults.${small}`]: '20m',
    [`services.gateway.${small}`]: '20m',
    [`services.identity.${small}`]: '20m',
    'settings.RATE_LIMIT_PER_ADDRESS_PER_MINUTE': '1000000',
    'settings.RATE_LIMIT_PER_USER_PER_MINUTE': '1000000',
  };
}

function policyValues(): string {
  const to = [{ ipBlock: { cidr: `${MACHINE_ADDRESS}/32` } }];
  const { ports } = outside;
  const way = (port: number) => ({ to, ports: [port] });
  return JSON.stringify({
    database: way(ports.database),
    kafka: way(ports.kafka),
    redis: way(ports.redis),
    external: { to: [{ ipBlock: { cidr: '127.0.0.1/32' } }], ports: [443] },
  });
}

async function makeSecrets(): Promise<void> {
  const roleSecret = randomBytes(16).toString('hex');
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const urls = services
    .filter((name) => name !== 'gateway')
    .map((name) => [`${name}-url`, serviceUrl(outside.ownerUrl, asService(name), roleSecret)]);
  const secrets: Record<string, Record<string, string>> = {
    'casewatch-database': { 'owner-url': outside.ownerUrl, ...Object.fromEntries(urls) },
    'casewatch-internal': {
      'internal-secret': randomBytes(24).toString('hex'),
      'token-private-key': privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
      'token-public-key': publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    },
    'casewatch-redis': { url: outside.redisUrl },
  };
  const items = Object.entries(secrets).map(([name, stringData]) => ({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name, namespace: NAMESPACE },
    stringData,
  }));
  await node.kubectl(['apply', '-f', '-'], JSON.stringify({ apiVersion: 'v1', kind: 'List', items }));
}

/** The chart's roles besides the gateway are the services' names. */
function asService(name: string): Parameters<typeof serviceUrl>[1] {
  return name as Parameters<typeof serviceUrl>[1];
}

async function runPod(name: string, words: string[], env: Record<string, string>): Promise<void> {
  const pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: NAMESPACE },
    spec: {
      restartPolicy: 'Never',
      automountServiceAccountToken: false,
      securityContext: { runAsNonRoot: true, runAsUser: 1000, seccompProfile: { type: 'RuntimeDefault' } },
      containers: [
        {
          name,
          image: IMAGE,
          imagePullPolicy: 'Never',
          command: ['node', ...words],
          env: Object.entries(env).map(([key, value]) => ({ name: key, value })),
          securityContext: RESTRICTED,
        },
      ],
    },
  };
  await k('delete', 'pod', name, '--ignore-not-found', '--wait');
  await node.kubectl(['apply', '-f', '-'], JSON.stringify(pod));
}

/** `open` when a connection is made and answered at all, `shut` with the reason otherwise. */
async function reach(from: string, url: string): Promise<string> {
  const ask = `fetch('${url}', { signal: AbortSignal.timeout(2500) }).then(() => console.log('open'), (error) => console.log('shut', error.name, error.cause?.code ?? ''))`;
  return (await k('exec', from, '--', 'node', '-e', ask)).trim();
}

async function startLoad() {
  await runPod('load', ['--input-type=module', '-e', loadProgram], {
    LOAD_URL: `http://${RELEASE}-gateway:8080`,
    LOAD_ORIGIN: ORIGIN,
  });
  await patiently('load is under way', async () => (await k('logs', 'load')).includes('under way'));
  return {
    end: async (): Promise<{ requests: number; failed: number; faults: Record<string, number> }> => {
      // What the last pods that stop do is part of it.
      await pause(6_000);
      await k('exec', 'load', '--', 'sh', '-c', 'kill -TERM 1');
      await k('wait', '--for=jsonpath={.status.phase}=Succeeded', 'pod/load', '--timeout=60s');
      return JSON.parse((await k('logs', 'load')).trim().split('\n').at(-1) ?? '');
    },
  };
}

async function tagsInUse(): Promise<Set<string>> {
  const selector = `app.kubernetes.io/instance=${RELEASE},app.kubernetes.io/component!=test`;
  const path = '{range .items[*]}{.metadata.deletionTimestamp}|{.spec.containers[0].image}{"\\n"}{end}';
  const lines = (await k('get', 'pods', '-l', selector, '-o', `jsonpath=${path}`))
    .split('\n')
    .filter(Boolean);
  return new Set(lines.filter((line) => line.startsWith('|')).map((line) => line.split(':').at(-1) ?? ''));
}

async function addressOf(role: string): Promise<string> {
  const address = await k('get', 'service', `${RELEASE}-${role}`, '-o', 'jsonpath={.spec.clusterIP}');
  return `http://${address}:8080`;
}

async function podOf(role: string) {
  const selector = `app.kubernetes.io/instance=${RELEASE},app.kubernetes.io/component=${role}`;
  const { items } = JSON.parse(await k('get', 'pods', '-l', selector, '-o', 'json'));
  const pod = items.find(
    (item: { metadata: { deletionTimestamp?: string } }) => !item.metadata.deletionTimestamp,
  );
  const status = pod.status.containerStatuses[0];
  return {
    name: String(pod.metadata.name),
    container: String(status.containerID).replace('containerd://', ''),
    restarts: Number(status.restartCount),
    ready: Boolean(status.ready),
    lastReason: status.lastState.terminated?.reason as string | undefined,
  };
}

/** Why helm gave up stands in the pods, not in its own words. */
async function tellMore(error: unknown): Promise<never> {
  const pods = await k('get', 'pods', '-o', 'wide');
  const events = (await k('get', 'events', '--sort-by=.lastTimestamp')).split('\n').slice(-25).join('\n');
  const selector = `app.kubernetes.io/instance=${RELEASE}`;
  const logs = await k('logs', '-l', selector, '--tail=5', '--prefix', '--max-log-requests=30').catch(String);
  throw new Error(`${error}\n${pods}\n${events}\n${logs}`);
}
