import { execFileSync } from 'node:child_process';
import { kafkaFromMavenProblems, kafkaJars } from '@casewatch/dev-stack/kafka/kafka-from-maven';
import { redisBinary } from '@casewatch/dev-stack/redis/redis';
import { getFirefox, getWebKit } from '@casewatch/dev-stack/tools/browsers';
import { buildStripeMock } from '@casewatch/dev-stack/tools/stripe-mock-binary';
import { findSchemathesis, findSchemathesisPython } from '../tools/fuzz/src/schemathesis.ts';
import { goTools } from '../tools/kubernetes/src/go-tool.ts';
import { helm3Program } from '../tools/kubernetes/src/helm.ts';
import { kubeScoreProgram } from '../tools/kubernetes/src/kube-score.ts';
import { kubernetesSchemas } from '../tools/kubernetes/src/kubernetes-schemas.ts';
import { collectorProgram } from '../tools/observability/src/collector.ts';
import { promtoolProgram } from '../tools/observability/src/promtool.ts';

/**
 * `node scripts/get-tools.ts`: obtains all that `npm run test:all` downloads or builds, before any test starts. Kept in
 * the user's cache folder (`XDG_CACHE_HOME`, else `~/.cache`), so that a second run has nothing to do.
 */

interface Tool {
  name: string;
  get(): Promise<unknown>;
}

const MINUTE_MS = 60_000;
const CONTROL_PLANE = [
  'etcd',
  'kube-apiserver',
  'kube-controller-manager',
  'kube-scheduler',
  'kubectl',
  'kwok',
] as const;

/** One after the other: each uses all processors as it is. */
const TOOLS: readonly Tool[] = [
  { name: 'Kafka', get: kafkaJars },
  { name: 'Redis', get: redisBinary },
  { name: 'Schemathesis', get: findSchemathesis },
  { name: 'stripe-mock', get: buildStripeMock },
  {
    name: 'helm, kubeconform and the control plane',
    get: () => goTools(['helm', 'kubeconform', ...CONTROL_PLANE]),
  },
  { name: 'the schemas of Kubernetes', get: kubernetesSchemas },
  { name: 'Helm 3', get: helm3Program },
  { name: 'kube-score', get: kubeScoreProgram },
  { name: 'promtool', get: promtoolProgram },
  { name: 'the OpenTelemetry collector', get: collectorProgram },
  { name: 'Firefox ESR', get: getFirefox },
  { name: 'WebKitGTK', get: getWebKit },
];

const missing = await whatIsMissing();
if (missing.length > 0) {
  console.error(
    ['These tests need more than Node and npm. Missing here:', ...missing, 'Without them: npm test'].join(
      '\n  ',
    ),
  );
  process.exit(1);
}
for (const { name, get } of TOOLS) {
  const startedAtMs = performance.now();
  const passed = () => `${((performance.now() - startedAtMs) / 1_000).toFixed(1)} s`;
  const progress = setInterval(() => console.log(`tools: ${name} not ready yet (${passed()})`), MINUTE_MS);
  await get().finally(() => clearInterval(progress));
  console.log(`tools: ${name} ready (${passed()})`);
}

/** What has to be installed on the machine, all of it at once, each with how to get it. */
async function whatIsMissing(): Promise<string[]> {
  const lines: string[] = [];
  if (!runs('go', 'version')) lines.push('Go 1.26 or newer: https://go.dev/dl');
  const kafka = await kafkaFromMavenProblems();
  if (kafka.length > 0)
    lines.push(`Java 17 or newer and Maven: apt install openjdk-17-jdk-headless maven (${kafka.join('; ')})`);
  const python = await findSchemathesisPython().catch((error: Error) => error);
  if (python instanceof Error) lines.push(python.message);
  return lines;
}

function runs(command: string, ...words: string[]): boolean {
  try {
    execFileSync(command, words, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
