// `npm run nightly`: what takes too long for every change, in the full number and length that is promised.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const program = path.join(path.dirname(fileURLToPath(import.meta.url)), 'test.mjs');
const { status } = spawnSync(process.execPath, [program, 'budget', 'faults'], {
  stdio: 'inherit',
  env: { ...process.env, FAULTS_FULL: '1' },
});
process.exitCode = status ?? 1;
