import { type ChildProcess, execFile } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { freePort } from '../free-port.ts';
import { spawnChild } from '../processes/child-process.ts';
import { makeOnce, testCacheFolder } from '../tools/make-once.ts';
import {
  kafkaServerSettings,
  type OwnKafkaOptions,
  type OwnTestKafka,
  waitForKafka,
} from './kafka-server.ts';

/**
 * A broker run by the machine's own Java from Maven's jars. Jars, a formatted storage and an archive of loaded
 * classes are kept in the user's cache folder; each is made next to its place and renamed, so that any number of
 * runs may make it at the same time. Data lies in a folder of its own that goes with the broker.
 */
const recipe = fileURLToPath(new URL('../../kafka/', import.meta.url));
const CLUSTER_ID = 'Q2FzZXdhdGNoVGVzdHNLYQ';
const OLDEST_JAVA = 17;
const JAVA_OPTIONS = [
  ...['-Xms64m', '-Xmx256m', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1'],
  ...['-Xlog:disable', '-Xlog:all=error:stderr', '-Dorg.slf4j.simpleLogger.defaultLogLevel=warn'],
];
const LAST_WORDS_LENGTH = 4_000;
const run = promisify(execFile);

/** Returns why this way is closed here; empty when it is open. */
export async function kafkaFromMavenProblems(): Promise<string[]> {
  if (process.platform === 'win32') return ['on Windows there is no broker from Maven'];
  const problems: string[] = [];
  const java = await run('java', ['-version']).catch(() => undefined);
  const version = Number(/version "(\d+)/.exec(java?.stderr ?? '')?.[1] ?? 0);
  if (!java) problems.push('java does not run');
  else if (version < OLDEST_JAVA) problems.push(`java is older than ${OLDEST_JAVA}`);
  if (!existsSync(jarsIn(cacheFolder())) && !(await run('mvn', ['--version']).catch(() => undefined))) {
    problems.push('mvn does not run');
  }
  return problems;
}

/** Returns the folder of the broker's jars, brought by Maven the first time. */
export async function kafkaJars(): Promise<string> {
  const jars = jarsIn(cacheFolder());
  await makeOnce(jars, async (made) => {
    await run('mvn', [
      '-q',
      '-B',
      '-f',
      path.join(recipe, 'pom.xml'),
      'dependency:copy-dependencies',
      '-DincludeScope=runtime',
      `-DoutputDirectory=${made}`,
    ]);
  });
  return jars;
}

export async function startKafkaFromMaven(options: OwnKafkaOptions = {}): Promise<OwnTestKafka> {
  const cache = cacheFolder();
  const jars = await kafkaJars();
  const names = readdirSync(jars).sort();
  const classPath = names.map((name) => path.join(jars, name)).join(':');

  const folder = mkdtempSync(path.join(tmpdir(), 'casewatch-test-kafka-'));
  const properties = path.join(folder, 'server.properties');
  const [port, controllerPort] = [await freePort(), await freePort()];
  const host = options.host ?? '127.0.0.1';
  const reachedAt = options.behind ? await options.behind({ host, port }) : port;
  writeFileSync(
    properties,
    [
      readFileSync(path.join(recipe, 'server.properties'), 'utf8'),
      `listeners=PLAINTEXT://${host}:${port},CONTROLLER://127.0.0.1:${controllerPort}`,
      `advertised.listeners=PLAINTEXT://${host}:${reachedAt}`,
      `controller.quorum.voters=1@127.0.0.1:${controllerPort}`,
      `log.dirs=${path.join(folder, 'data')}`,
      // Of two lines for one name the last counts.
      ...Object.entries(kafkaServerSettings(options)).map(([name, value]) => `${name}=${value}`),
    ].join('\n'),
  );
  await copyFormattedStorage(cache, classPath, folder, properties);

  const brokers = [`${host}:${reachedAt}`];
  const archive = path.join(cache, 'classes.jsa');
  let broker = await start();

  async function start() {
    const archiveMade = `${archive}.${process.pid}.${port}`;
    const started = spawnBroker([
      ...(options.javaOptions ?? []),
      ...(existsSync(archive)
        ? [`-XX:SharedArchiveFile=${archive}`, '-Xshare:auto']
        : [`-XX:ArchiveClassesAtExit=${archiveMade}`]),
      ...['-cp', classPath, 'kafka.Kafka', properties],
    ]);
    started.process.once('exit', () => {
      if (existsSync(archiveMade)) renameSync(archiveMade, archive);
    });
    await waitForKafka(brokers, { ...options, exited: started.ended });
    return started;
  }
  async function end(signal: NodeJS.Signals): Promise<void> {
    const { process: child, ended } = broker;
    if (ended()) return;
    const exited = once(child, 'exit');
    child.kill(signal);
    await exited;
  }
  return {
    brokers,
    stop: async () => {
      // Only a stop in order writes the archive of classes; later ones need none.
      await end(existsSync(archive) ? 'SIGKILL' : 'SIGTERM');
      rmSync(folder, { recursive: true, force: true });
    },
    kill: () => end('SIGKILL'),
    restart: async () => {
      broker = await start();
    },
  };
}

function spawnBroker(javaArguments: readonly string[]): {
  process: ChildProcess;
  ended: () => Error | undefined;
} {
  const child = spawnChild('java', [...JAVA_OPTIONS, ...javaArguments], { detached: true });
  child.stdout.resume();
  let lastWords = '';
  child.stderr.on('data', (words: Buffer) => {
    lastWords = `${lastWords}${words}`.slice(-LAST_WORDS_LENGTH);
  });
  let end: Error | undefined;
  child.once('exit', (code, signal) => {
    end = new Error(`Kafka exited (${signal ?? code}): ${lastWords}`);
  });
  return { process: child, ended: () => end };
}

/** Formatting takes a Java of its own, so it is done once. */
async function copyFormattedStorage(
  cache: string,
  classPath: string,
  folder: string,
  properties: string,
): Promise<void> {
  const formatted = path.join(cache, 'formatted');
  await makeOnce(formatted, async (made) => {
    await run('java', [
      ...JAVA_OPTIONS,
      '-cp',
      classPath,
      'kafka.tools.StorageTool',
      'format',
      '-t',
      CLUSTER_ID,
      '-c',
      properties,
    ]);
    renameSync(path.join(folder, 'data'), made);
  });
  cpSync(formatted, path.join(folder, 'data'), { recursive: true });
}

/** One per version of the jars: the archive of classes is bound to their paths. */
function cacheFolder(): string {
  const pom = readFileSync(path.join(recipe, 'pom.xml'), 'utf8');
  const version = /kafka_2\.13<\/artifactId>\s*<version>([^<]+)/.exec(pom)?.[1];
  return path.join(testCacheFolder(), `kafka-${version}`);
}

const jarsIn = (cache: string) => path.join(cache, 'jars');
