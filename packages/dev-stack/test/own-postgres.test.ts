import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';

const ownPostgres = fileURLToPath(new URL('../src/postgres/own-postgres.ts', import.meta.url));
const GONE_WITHIN_MS = 20_000;
/** A killed process leaves its data behind. */
const folder = mkdtempSync(path.join(tmpdir(), 'casewatch-killed-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const listens = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect({ host: '127.0.0.1', port }, () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });

test('a server does not outlive the process that started it, even one that is killed', async () => {
  const program = `
    const { startOwnTestPostgres } = await import(${JSON.stringify(ownPostgres)});
    const server = await startOwnTestPostgres();
    console.log(server.ownerUrl());
    setInterval(() => undefined, 1_000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, TMPDIR: folder },
  });
  const [url] = await once(child.stdout.setEncoding('utf8'), 'data');
  const port = Number(new URL(String(url).trim()).port);
  expect(await listens(port)).toBe(true);
  child.kill('SIGKILL');
  await once(child, 'exit');
  const deadline = performance.now() + GONE_WITHIN_MS;
  while (await listens(port)) {
    if (performance.now() > deadline) throw new Error('the server still listens');
    await delay(20);
  }
}, 120_000);
