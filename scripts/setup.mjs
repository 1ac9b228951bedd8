// What a fresh clone needs before anything else runs. Built-in modules only: this file is run by whatever Node
// the machine has (>= 20.19), before the packages are there.
import { execFile, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

export const root = fileURLToPath(new URL('..', import.meta.url));
/** The pinned Node, from the npm package `node`. */
export const pinnedNode = path.join(
  root,
  'node_modules',
  'node',
  'bin',
  process.platform === 'win32' ? 'node.exe' : 'node',
);

const OLDEST_NODE = [20, 19];
const installStamp = path.join(root, 'node_modules', '.casewatch-installed');
const webStamp = path.join(root, 'web', 'dist', '.stamp');

/** A failure that is shown as a message, without a stack. */
export class SetupError extends Error {}

/** Installs, generates and builds whatever is missing or stale. `say` gets one line per step. */
export async function setUp({ say, web }) {
  installPackages({ say });
  await generate(say);
  if (web && webIsStale()) await buildWeb(say);
}

/** Installs the packages where they are missing or stale: needs no file but each package.json and the lock file. */
export function installPackages({ say }) {
  requireNode();
  requireWritable();
  if (installIsStale()) install(say);
}

function requireNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1])) return;
  throw new SetupError(
    `Node ${process.versions.node} is too old: install Node ${OLDEST_NODE.join('.')} or newer.`,
  );
}

function requireWritable() {
  const probe = path.join(root, `.write-test-${process.pid}`);
  try {
    writeFileSync(probe, '');
    rmSync(probe);
  } catch (error) {
    if (error.code === 'ENOSPC') throw new SetupError('The disk is full. Free about 1.5 GB and try again.');
    throw new SetupError(`Can't write to ${root}. Clone into a folder that belongs to you.`);
  }
}

/** True when packages are missing, half-installed, or not those of the lock file. */
function installIsStale() {
  if (!existsSync(pinnedNode) || !existsSync(installStamp)) return true;
  return readFileSync(installStamp, 'utf8') !== hashFiles([path.join(root, 'package-lock.json')]);
}

function install(say) {
  say('installing packages (first start only, about a minute)');
  rmSync(installStamp, { force: true });
  const npm = process.env.npm_execpath;
  const [command, words] = npm?.endsWith('.js') ? [process.execPath, [npm]] : ['npm', []];
  const result = spawnSync(command, [...words, 'ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'ignore', 'pipe'],
    shell: command === 'npm' && process.platform === 'win32',
  });
  if (result.status !== 0) throw new SetupError(explainInstall(result));
  if (!existsSync(pinnedNode)) {
    throw new SetupError(
      'The pinned Node is missing after "npm ci": allow install scripts (npm config set ignore-scripts false) and try again.',
    );
  }
  writeFileSync(installStamp, hashFiles([path.join(root, 'package-lock.json')]));
}

function explainInstall({ error, stderr }) {
  const output = String(error ?? stderr ?? '');
  if (output.includes('ENOSPC')) return 'The disk is full. Free about 1.5 GB and try again.';
  if (output.includes('EACCES'))
    return `npm may not write to ${root}. Clone into a folder that belongs to you.`;
  if (/ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT/.test(output))
    return "npm can't reach its registry. Check the network (or npm's proxy settings) and try again.";
  return `"npm ci" failed:\n${output.trim().split('\n').slice(-12).join('\n')}`;
}

/** Generates the Prisma clients and the event types whose sources changed, all at once. */
async function generate(say) {
  const steps = [...prismaSteps(), ...protoSteps()].flatMap((step) => {
    const stamp = path.join(step.output, '.stamp');
    const fresh = hashFiles([...step.sources, path.join(root, 'package-lock.json')]);
    return existsSync(stamp) && readFileSync(stamp, 'utf8') === fresh ? [] : [{ ...step, stamp, fresh }];
  });
  if (steps.length === 0) return;
  say(`generating code for ${steps.map(({ name }) => name).join(', ')}`);
  const ended = await Promise.allSettled(
    steps.map(async ({ command, cwd, env, stamp, fresh }) => {
      await runNode(command, cwd, env);
      writeFileSync(stamp, fresh);
    }),
  );
  const failed = ended.find(({ status }) => status === 'rejected');
  if (failed) throw failed.reason;
}

/** The database client of each service. */
function prismaSteps() {
  const services = path.join(root, 'services');
  return readdirSync(services)
    .filter((name) => existsSync(path.join(services, name, 'prisma', 'schema.prisma')))
    .map((name) => ({
      name,
      sources: [path.join(services, name, 'prisma', 'schema.prisma')],
      output: path.join(services, name, 'src', 'generated'),
      command: [
        path.join(root, 'node_modules', 'prisma', 'build', 'index.js'),
        'generate',
        '--schema',
        'prisma/schema.prisma',
      ],
      cwd: path.join(services, name),
      // `generate` looks for an engine that it does not use; any executable will do, and nothing is downloaded.
      env: {
        PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
        PRISMA_HIDE_UPDATE_MESSAGE: '1',
        CHECKPOINT_DISABLE: '1',
      },
    }));
}

function protoSteps() {
  const proto = path.join(root, 'proto');
  if (!existsSync(proto)) return [];
  return [
    {
      name: 'event types',
      sources: filesBelow(proto, (file) => /\.(proto|yaml)$/.test(file)),
      output: path.join(proto, 'generated'),
      command: [path.join(root, 'node_modules', '@bufbuild', 'buf', 'bin', 'buf'), 'generate'],
      cwd: proto,
      env: {},
    },
  ];
}

function webIsStale() {
  return !existsSync(webStamp) || readFileSync(webStamp, 'utf8') !== webSources();
}

async function buildWeb(say) {
  say('building the web app');
  await runNode([path.join(root, 'web', 'scripts', 'build.ts')], path.join(root, 'web'), {
    NODE_ENV: 'production',
  });
  writeFileSync(webStamp, webSources());
}

function webSources() {
  const skip = (file) => !/\/(dist|node_modules)\//.test(file);
  return hashFiles([
    ...filesBelow(path.join(root, 'web'), skip),
    ...filesBelow(path.join(root, 'packages', 'contracts', 'src'), skip),
    path.join(root, 'package-lock.json'),
  ]);
}

/** Runs a script on the pinned Node; its words are shown only when it fails. */
async function runNode(words, cwd, env) {
  const bin = path.join(root, 'node_modules', '.bin');
  try {
    await promisify(execFile)(pinnedNode, words, {
      cwd,
      env: {
        ...process.env,
        ...env,
        PATH: `${path.dirname(pinnedNode)}${path.delimiter}${bin}${path.delimiter}${process.env.PATH}`,
      },
      maxBuffer: Number.POSITIVE_INFINITY,
    });
  } catch (error) {
    throw new SetupError(
      `"${path.relative(root, words[0])}" failed:\n${error.stdout ?? ''}${error.stderr || error.message}`,
    );
  }
}

function filesBelow(folder, keep) {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.name !== 'node_modules' && entry.name !== 'dist' && entry.name !== 'generated')
    .flatMap((entry) => {
      const file = path.join(folder, entry.name);
      return entry.isDirectory() ? filesBelow(file, keep) : [file];
    })
    .filter((file) => statSync(file).isFile() && keep(file))
    .sort();
}

function hashFiles(files) {
  const hash = createHash('sha256');
  for (const file of files)
    hash.update(path.relative(root, file)).update('\0').update(readFileSync(file)).update('\0');
  return hash.digest('hex');
}
