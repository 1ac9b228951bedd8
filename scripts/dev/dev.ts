import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { freePort } from '@casewatch/dev-stack/free-port';
import { spawnChild } from '@casewatch/dev-stack/processes/child-process';
import { createServer } from 'vite';

/**
 * `npm run dev`: the web app from Vite, which replaces changed modules in open tabs, before an all-in-one back end that
 * starts again when a file that it has loaded changes. Open the address of Vite; `PORT` is the back end's, `WEB_PORT`
 * Vite's. Ctrl-C stops both.
 */
const DEFAULT_PORT = 8080;
const DEFAULT_WEB_PORT = 5173;
const root = fileURLToPath(new URL('../../', import.meta.url));

if (existsSync('.env')) process.loadEnvFile('.env');
const port = Number(process.env.PORT ?? DEFAULT_PORT) || (await freePort());
const webPort = Number(process.env.WEB_PORT ?? DEFAULT_WEB_PORT) || (await freePort());

// A process group of its own: Ctrl-C reaches it once, through us, so that it stops in order. So it does when we are killed.
const backEnd = spawnChild(
  process.execPath,
  ['--watch', '--watch-preserve-output', `${root}host/src/main.ts`],
  { detached: true, endSignal: 'SIGINT', env: { ...process.env, PORT: String(port) } },
);
backEnd.stdout.pipe(process.stdout);
backEnd.stderr.pipe(process.stderr);
const exited = once(backEnd, 'exit');

const web = await createServer({
  root: `${root}web`,
  server: {
    port: webPort,
    strictPort: true,
    proxy: { '/api': { target: `http://127.0.0.1:${port}` } },
  },
});

let stopping = false;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void end(0));
process.on('disconnect', () => void end(0));
void exited.then(() => end(1));
await web.listen().catch(async (error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  await end(1);
});
console.log(`\n  Open http://localhost:${webPort}; what you change shows at once.\n`);

/** The first one ends both in order. */
async function end(code: number): Promise<void> {
  if (stopping) return;
  stopping = true;
  backEnd.kill('SIGTERM');
  await Promise.all([web.close(), exited]);
  process.exit(code);
}
