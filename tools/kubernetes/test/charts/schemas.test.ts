import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { goTool } from '../../src/go-tool.ts';
import { chartFolder, EXAMPLES, helm, helm3Program, OPERATOR_WORDS, valueWords } from '../../src/helm.ts';
import { kubernetesSchemas, SCHEMA_LOCATION } from '../../src/kubernetes-schemas.ts';
import { parseManifests } from '../../src/parse-manifests.ts';

const run = promisify(execFile);
let schemas: string;
let kubeconform: string;

beforeAll(async () => {
  schemas = await kubernetesSchemas();
  kubeconform = await goTool('kubeconform');
  await helm3Program();
}, 1_800_000);

async function validate(text: string) {
  const checking = run(kubeconform, [
    '-strict',
    '-summary',
    '-output',
    'json',
    '-schema-location',
    `${schemas}/${SCHEMA_LOCATION}`,
  ]);
  checking.child.stdin?.end(text);
  const { stdout } = await checking.catch((error) => ({ stdout: String(error.stdout) }));
  const { resources, summary } = JSON.parse(stdout);
  return { problems: resources ?? [], summary };
}

describe.each(Object.entries(EXAMPLES))('the example %s', (install, files) => {
  const values = files.flatMap((file) => ['-f', file]);

  it.each(['4', '3'])('passes the lint of Helm %s', async (major) => {
    const program = major === '3' ? helm3Program() : goTool('helm');
    const output = await helm(['lint', '--strict', '--quiet', chartFolder, ...values], {}, program);
    expect(output).not.toContain('[ERROR]');
  });

  it('is the same with Helm 3', async () => {
    const words = ['template', 'r', chartFolder, ...OPERATOR_WORDS, ...values];
    const [four, three] = await Promise.all([helm(words), helm(words, {}, helm3Program())]);
    expect(parseManifests(three)).toEqual(parseManifests(four));
  });

  it('renders only what the schemas of Kubernetes and of the custom kinds know', async () => {
    const { problems, summary } = await validate(
      await helm(['template', 'r', chartFolder, ...OPERATOR_WORDS, ...values]),
    );
    expect(problems).toEqual([]);
    expect(summary.valid).toBeGreaterThan(['single', 'kind'].includes(install) ? 10 : 20);
    expect(summary).toMatchObject({ invalid: 0, errors: 0, skipped: 0 });
  });
});

it('a field that Kubernetes does not know is refused: the schemas are strict', async () => {
  const text = await helm(['template', 'r', chartFolder, ...valueWords(['small'])]);
  const { summary } = await validate(text.replace('revisionHistoryLimit', 'revisionHistoryLimits'));
  expect(summary.invalid).toBeGreaterThan(0);
});

it.each([
  ['enablePDB', 'enablePdb'],
  ['deleteClaim', 'deleteClaims'],
  ['networkPolicyPeers', 'networkPolicyPeer'],
  ['operations: [Create', 'operation: [Create'],
  ['redisSecret', 'passwordSecret'],
])('the operators know %s and refuse %s', async (known, unknown) => {
  const text = await helm(['template', 'r', chartFolder, ...OPERATOR_WORDS, ...valueWords(['evaluation'])]);
  expect(text).toContain(known);
  const { summary } = await validate(text.replaceAll(known, unknown));
  expect(summary.invalid).toBeGreaterThan(0);
});

it('a kind without a schema is an error and not passed over', async () => {
  const { summary } = await validate('apiVersion: example.com/v1\nkind: Unheard\nmetadata: {name: x}\n');
  expect(summary.errors).toBe(1);
});
