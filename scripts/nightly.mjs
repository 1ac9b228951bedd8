// `npm run nightly`: what takes too long for every change, in the full number and length that is promised; on a real
// node too, which wants Linux and root (tools/kubernetes/pods/README.md).
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const program = path.join(path.dirname(fileURLToPath(import.meta.url)), 'test.mjs');
const { status } = spawnSync(process.execPath, [program, 'budget', 'faults', 'fuzz', 'pods'], {
  stdio: 'inherit',
  env: { ...process.env, FAULTS_FULL: '1', FUZZ_FULL: '1' },
});
process.exitCode = status ?? 1;
