import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';

const kafka = fileURLToPath(new URL('../../src/kafka/kafka.ts', import.meta.url));
/** The container engine's own clean-up takes ten seconds. */
const GONE_WITHIN_MS = 20_000;
/** A killed process leaves its data behind. */
const folder = mkdtempSync(path.join(tmpdir(), 'casewatch-killed-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('a broker does not outlive the process that started it, even one that is killed', async () => {
  const program = `
    const { startOwnTestKafka } = await import(${JSON.stringify(kafka)});
    const { brokers } = await startOwnTestKafka();
    console.log(brokers[0]);
    setInterval(() => undefined, 1_000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, TMPDIR: folder },
  });
  const [address] = await once(child.stdout.setEncoding('utf8'), 'data');
  const [host, port] = String(address).trim().split(':');
  const listens = () =>
    new Promise<boolean>((resolve) => {
      const socket = connect({ host: host ?? '', port: Number(port) }, () => {
        socket.destroy();
        resolve(true);
      });
      socket.once('error', () => resolve(false));
    });
  expect(await listens()).toBe(true);
  child.kill('SIGKILL');
  await once(child, 'exit');
  const deadline = performance.now() + GONE_WITHIN_MS;
  while (await listens()) {
    if (performance.now() > deadline) throw new Error('the broker still listens');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}, 120_000);
