import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { freePort } from '@casewatch/dev-stack/free-port';
import { type Child, spawnChild } from '@casewatch/dev-stack/processes/child-process';
import { installPythonPackages } from '@casewatch/dev-stack/tools/python-packages';
import type { OnNotice, Tracker } from './tracker.ts';
import type { WatchedAgency } from './watched-agency.ts';

const requirements = fileURLToPath(new URL('../../peers/changedetection/requirements.txt', import.meta.url));
const PROGRAM = 'changedetection.io';
const START = 'import sys; from changedetectionio import main; sys.exit(main())';
const RECEIPT_NUMBER = /[A-Z]{3}\d{10}/;
const READY_WITHIN_MS = 60_000;
const POLL_MS = 100;

/** Its settings as far as they are set here: a file of its data folder. */
interface Settings {
  settings: {
    headers: Record<string, string>;
    application: Record<string, unknown> & { api_access_token: string };
  };
}

/**
 * Starts changedetection.io, which watches the cases' JSON with its own HTTP fetcher and sends a webhook for each change. Set for
 * speed by its documentation and source: `workers` of both kinds, no live updates of its pages, warnings only in its log; it reaches
 * no other machine (no version check, no prices of language models, none of the watches that it begins with).
 */
export async function startChangedetection(options: {
  folder: string;
  agency: WatchedAgency;
  receiptNumbers: readonly string[];
  workers: number;
  onNotice: OnNotice;
}): Promise<Tracker> {
  const { folder, agency, receiptNumbers, workers } = options;
  const { python, env } = await installPythonPackages({ program: PROGRAM, requirements });
  const sink = await startSink(options.onNotice);
  const port = await freePort();
  mkdirSync(folder, { recursive: true });
  const run = (more: Record<string, string> = {}, words: readonly string[] = []) =>
    spawnChild(
      python,
      ['-c', START, '-C', '-d', folder, '-h', '127.0.0.1', '-p', String(port), '-l', 'WARNING', ...words],
      {
        cwd: folder,
        env: {
          PATH: process.env.PATH,
          HOME: folder,
          ...env,
          FETCH_WORKERS: String(workers),
          NOTIFICATION_WORKERS: String(workers),
          MINIMUM_SECONDS_RECHECK_TIME: '0',
          ALLOW_IANA_RESTRICTED_ADDRESSES: 'true',
          DISABLE_VERSION_CHECK: 'true',
          LLM_FEATURES_DISABLED: 'true',
          ...more,
        },
      },
    );

  // Once only to make its folder; with an address in the words it makes none of the watches that it begins with.
  await ended(run({ TESTING_SHUTDOWN_AFTER_DATASTORE_LOAD: 'true' }, ['-u', agency.url]));
  const token = writeSettings(path.join(folder, 'changedetection.json'), {
    authorization: `Bearer ${await agency.token()}`,
    webhook: sink.url,
  });
  const child = run();
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (more: string) => {
      said = (said + more).slice(-8_000);
    });
  const call = (target: string, init: RequestInit = {}) =>
    fetch(`http://127.0.0.1:${port}/api/v1/${target}`, {
      ...init,
      headers: { 'x-api-key': token, 'content-type': 'text/plain' },
    });

  await untilReady(async () => (await call('systeminfo')).ok);
  const urls = receiptNumbers.map((receiptNumber) => `${agency.url}/case-status/${receiptNumber}`);
  const imported = await call('import', { method: 'POST', body: urls.join('\n') });
  if (!imported.ok) throw new Error(`${PROGRAM} took no watches: ${await imported.text()}`);

  return {
    name: PROGRAM,
    pids: () => (child.pid === undefined ? [] : [child.pid]),
    async makeAllDue() {
      const answer = await call('watch?recheck_all=1');
      if (!answer.ok) throw new Error(`${PROGRAM} checks nothing: ${await answer.text()}`);
      await answer.body?.cancel();
    },
    async isSettled() {
      const { queue_size: queued } = (await (await call('systeminfo')).json()) as { queue_size: number };
      return queued === 0;
    },
    async stop() {
      child.kill('SIGKILL');
      await ended(child);
      await sink.stop();
    },
  };

  async function untilReady(isReady: () => Promise<boolean>): Promise<void> {
    const deadline = performance.now() + READY_WITHIN_MS;
    while (!(await isReady().catch(() => false))) {
      if (performance.now() > deadline || child.exitCode !== null)
        throw new Error(`${PROGRAM} does not answer:\n${said}`);
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  }
}

/** Adds to the settings that it made itself. @returns the key of its API */
function writeSettings(file: string, wanted: { authorization: string; webhook: string }): string {
  const stored = JSON.parse(readFileSync(file, 'utf8')) as Settings;
  const { headers, application } = stored.settings;
  headers.Authorization = wanted.authorization;
  application.notification_urls = [wanted.webhook];
  application.notification_title = 'changed';
  application.notification_body = '{{watch_url}}';
  application.notification_format = 'text';
  application.ui = { socket_io_enabled: false };
  writeFileSync(file, JSON.stringify(stored));
  return application.api_access_token;
}

/** Takes its webhooks. */
async function startSink(onNotice: OnNotice): Promise<{ url: string; stop(): Promise<void> }> {
  const port = await freePort();
  const server = createServer(async (req, res) => {
    const receiptNumber = RECEIPT_NUMBER.exec(await text(req))?.[0];
    if (receiptNumber) onNotice(receiptNumber);
    res.end();
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    url: `json://127.0.0.1:${port}/`,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function ended(child: Child): Promise<void> {
  child.stdout.resume();
  child.stderr.resume();
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => child.once('exit', () => resolve()));
}
