import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { goProgram } from '@casewatch/dev-stack/tools/go-program';

const run = promisify(execFile);
const OUTPUT_LIMIT_BYTES = 64 * 1024 * 1024;
const CRITICAL_GRADE = 1;

/** A remark of kube-score about an object, from a check that it grades as critical. */
export interface CriticalFinding {
  /** kube-score's id of the check, such as `container-resources`. */
  rule: string;
  /** Kind and name, such as `Deployment/casewatch-cases`. */
  object: string;
  /** Such as `CPU limit is not set`. */
  remark: string;
}

interface ScoredObject {
  type_meta: { kind: string };
  object_meta: { name: string };
  checks: readonly {
    check: { id: string; name: string };
    grade: number;
    skipped: boolean;
    comments: readonly { summary: string }[] | null;
  }[];
}

/** Returns the path of kube-score, of the version that `kube-score/go.mod` pins; built from source the first time. */
export function kubeScoreProgram(): Promise<string> {
  return goProgram({
    moduleFolder: fileURLToPath(new URL('../kube-score/', import.meta.url)),
    name: 'kube-score',
    package: 'github.com/zegl/kube-score/cmd/kube-score',
  });
}

/**
 * Returns what kube-score grades as critical in rendered manifests, each remark about an object once. Annotations that
 * would silence it have no effect.
 */
export async function criticalFindings(manifests: string): Promise<CriticalFinding[]> {
  const findings = (await score(manifests)).flatMap(({ type_meta, object_meta, checks }) =>
    checks
      .filter(({ grade, skipped }) => grade === CRITICAL_GRADE && !skipped)
      .flatMap(({ check, comments }) =>
        (comments ?? [{ summary: check.name }]).map(({ summary }) => ({
          rule: check.id,
          object: `${type_meta.kind}/${object_meta.name}`,
          remark: summary,
        })),
      ),
  );
  return [...new Map(findings.map((finding) => [Object.values(finding).join(), finding])).values()];
}

async function score(manifests: string): Promise<ScoredObject[]> {
  const words = ['score', '--output-format=json', '--disable-ignore-checks-annotations', '-'];
  const scoring = run(await kubeScoreProgram(), words, { maxBuffer: OUTPUT_LIMIT_BYTES });
  scoring.child.stdin?.end(manifests);
  // It exits with 1 where anything is critical, and where it could not read what it was given.
  const { stdout } = await scoring.catch((error) => {
    if (String(error.stdout).startsWith('[')) return { stdout: String(error.stdout) };
    throw error;
  });
  const scored = JSON.parse(stdout);
  if (scored === null) throw new Error('kube-score: no object in the manifests');
  return scored;
}
