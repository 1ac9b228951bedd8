import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const kafka = fileURLToPath(new URL('./kafka.ts', import.meta.url));
/** The container engine's own clean-up takes ten seconds. */
const GONE_WITHIN_MS = 20_000;

test('a broker does not outlive the process that started it, even one that is killed', async () => {
  const program = `
    const { startOwnTestKafka } = await import(${JSON.stringify(kafka)});
    const { brokers } = await startOwnTestKafka();
    console.log(brokers[0]);
    setInterval(() => undefined, 1_000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
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
