import { beforeAll, expect, it } from 'vitest';
import { chartFolder, helm, INSTALLS, OPERATOR_WORDS, valueWords } from '../../src/helm.ts';
import { type CriticalFinding, criticalFindings } from '../../src/kube-score.ts';

interface Exception {
  rule: string;
  remark: string;
  object: RegExp;
  reason: string;
}

const PODS = /^(Deployment|Job|Pod)\//;
const EXCEPTIONS: readonly Exception[] = [
  {
    rule: 'container-resources',
    remark: 'CPU limit is not set',
    object: PODS,
    reason:
      'A limit throttles a container while its node has idle processors. Requests divide them under contention, and autoscaling goes by requests.',
  },
  {
    rule: 'container-image-pull-policy',
    remark: 'ImagePullPolicy is not set to Always',
    object: PODS,
    reason:
      'Tags are versions and releases name the digest, so that a node already has what it would pull. With Always no container would restart while the registry is unavailable.',
  },
];

let texts: Record<string, string>;
let findings: Record<string, CriticalFinding[]>;

beforeAll(async () => {
  texts = await ofEachInstall((install) =>
    helm(['template', 'r', chartFolder, ...OPERATOR_WORDS, ...valueWords([install])]),
  );
  findings = await ofEachInstall((install) => criticalFindings(texts[install] ?? ''));
}, 1_800_000);

async function ofEachInstall<T>(make: (install: string) => Promise<T>): Promise<Record<string, T>> {
  const made = INSTALLS.map(async (install) => [install, await make(install)] as const);
  return Object.fromEntries(await Promise.all(made));
}

const isExcepted = (finding: CriticalFinding) => EXCEPTIONS.some((exception) => covers(exception, finding));

function covers({ rule, remark, object }: Exception, finding: CriticalFinding): boolean {
  return rule === finding.rule && remark === finding.remark && object.test(finding.object);
}

it.each(INSTALLS)('kube-score finds nothing critical in a %s install but what is excepted', (install) => {
  expect(findings[install]?.filter((finding) => !isExcepted(finding))).toEqual([]);
});

it('every exception is still needed', () => {
  const all = Object.values(findings).flat();
  const unneeded = EXCEPTIONS.filter((exception) => !all.some((finding) => covers(exception, finding)));
  expect(unneeded).toEqual([]);
});

it('a writable root file system is reported, also where an annotation would silence it', async () => {
  const rule = 'container-security-context-readonlyrootfilesystem';
  const silenced = texts.small
    ?.replaceAll('readOnlyRootFilesystem: true', 'readOnlyRootFilesystem: false')
    .replaceAll(
      'kind: Deployment\nmetadata:',
      `kind: Deployment\nmetadata:\n  annotations: { kube-score/ignore: ${rule} }`,
    );
  expect(silenced).toContain('kube-score/ignore');
  const reported = (await criticalFindings(silenced ?? '')).filter((finding) => finding.rule === rule);
  expect(reported.map(({ object }) => object)).toContain('Deployment/r-casewatch-cases');
});

it('manifests that cannot be read are an error', async () => {
  await expect(criticalFindings('kind: Deployment\napiVersion: apps/v1\nspec: [')).rejects.toThrow(
    'kube-score',
  );
});
