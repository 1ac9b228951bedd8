import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { freePort, RESERVATIONS } from './free-port.ts';

const reservation = (port: number) => join(RESERVATIONS, String(port));

test('ports reserved at the same time are all different, and none is one that an outgoing connection can get', async () => {
  const ports = await Promise.all(Array.from({ length: 100 }, () => freePort()));
  expect(new Set(ports).size).toBe(100);
  expect(Math.max(...ports)).toBeLessThan(32_768);
});

test('a port that another process has reserved is not reserved again before that process ends', async () => {
  const first = await freePort();
  writeFileSync(reservation(first), String(process.ppid));
  await expect(freePort({ first, last: first })).rejects.toThrow(
    `no free port from ${first} to ${first}: end processes that listen there and try again`,
  );

  writeFileSync(reservation(first), String(spawnSync(process.execPath, ['-v']).pid));
  expect(await freePort({ first, last: first })).toBe(first);
});

test('a process with another folder for temporary files leaves the ports reserved here to us', async () => {
  const port = await freePort();
  const asks = `import { freePort } from ${JSON.stringify(import.meta.resolve('./free-port.ts'))};
    await freePort({ first: ${port}, last: ${port} })`;
  const folder = mkdtempSync(join(tmpdir(), 'casewatch-other-'));
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', asks], {
    env: { TMPDIR: folder },
    encoding: 'utf8',
  });
  rmSync(folder, { recursive: true });
  expect(status, stderr).toBe(1);
  expect(stderr).toContain(`no free port from ${port} to ${port}`);
});
