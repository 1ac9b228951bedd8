// Runs a program on the pinned Node in our place: it gets our terminal, our signals and our end.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { pinnedNode, root, SetupError, setUp } from './setup.mjs';

/** What Node has compiled, for later starts and all processes of one: a third of the time to load the product. */
const COMPILED = path.join(root, 'node_modules', '.cache', 'casewatch', 'compiled');

/**
 * Sets up what a fresh clone lacks, then runs `program` (below the root) with our own arguments, or with `words`, and with
 * the settings of `env` that our environment does not have. `onSetupError` receives the advice for a failed setup; the process
 * then exits with 1.
 */
export async function setUpAndRun(
  program,
  { words = process.argv.slice(2), env = {}, onSetupError = printStartFailed } = {},
) {
  try {
    await setUp({ say: (step) => console.log(`  ${step} …`), web: true });
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    onSetupError(error.message);
    process.exit(1);
  }
  runPinned(path.join(root, program), { words, env });
}

/** Runs the program on the pinned Node, and ends as it does. */
export function runPinned(program, { words = process.argv.slice(2), env = {} } = {}) {
  const child = spawn(pinnedNode, [program, ...words], {
    cwd: root,
    // The channel closes when this process ends in any way: a program that listens (`stopOnSignals`) stops then.
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: { NODE_COMPILE_CACHE: COMPILED, ...env, ...process.env },
  });
  let asked = false;
  const ask = () => {
    asked = true;
    child.kill('SIGTERM');
  };
  // The terminal sends Ctrl-C to the whole group; a supervisor's SIGTERM reaches only us, so it is passed on. A program that listens
  // to the channel stops by its end, once, where an interrupt reaches only us, too.
  process.on('SIGINT', () => {
    asked = true;
    if (child.connected) child.disconnect();
  });
  process.on('SIGTERM', ask);
  process.on('SIGHUP', ask);
  // A signal sent to npm alone does not come through its shell: then our parent has exited, and we exit too. Asked once: a second
  // signal would end the program before it has stopped in order.
  if (process.env.npm_lifecycle_event) {
    const parent = process.ppid;
    // A killed npm leaves its shell behind, which has another parent then.
    const npm = isShell(parent) ? parentOf(parent) : undefined;
    setInterval(() => {
      const isAlone = process.ppid !== parent || (npm !== undefined && parentOf(parent) !== npm);
      if (isAlone && !asked) ask();
    }, 500).unref();
  }
  child.on('exit', (code, signal) => process.exit(signal ? 1 : (code ?? 1)));
}

/** Known on Linux only (proc(5)): on other systems a killed npm is not noticed. */
function parentOf(pid) {
  return Number(/\) \S (\d+) /.exec(procFile(pid, 'stat'))?.[1]) || undefined;
}

function isShell(pid) {
  const [command = '', option] = procFile(pid, 'cmdline').split('\0');
  return /(?:^|\/)(?:ba|da|z)?sh$/.test(command) && option === '-c';
}

function procFile(pid, name) {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    return '';
  }
}

function printStartFailed(message) {
  console.error(`\nCasewatch could not start.\n${message}`);
}
