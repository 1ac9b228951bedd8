import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { registry } from '@casewatch/host/registry';
import { haveBaseImages } from './base-images.ts';
import { serviceOf, startComposition } from './composition.ts';
import { startContainerEngine } from './engine.ts';
import { BASE_IMAGE } from './product-image.ts';

/**
 * `npm run bench:containers`: how large the image is over its base, and for each role how long a restarted container takes
 * until it says that it is ready, and how much memory it holds a while later without work.
 */
const GOAL = { megabytes: 250, readySeconds: 1.5, memoryMegabytes: 110 };
const ROLES = ['gateway', ...registry.map(({ name }): string => name)];
const SETTLE_MS = 10_000;
const READY_WITHIN_MS = 60_000;
const POLL_MS = 100;
const MB = 1024 * 1024;

const engine = await startContainerEngine();
try {
  await haveBaseImages(engine);
  const composition = await startComposition(engine);
  try {
    const sizeOf = async (image: string) =>
      Number(await engine.docker(['image', 'inspect', image, '--format', '{{.Size}}']));
    const over = ((await sizeOf(composition.tag)) - (await sizeOf(BASE_IMAGE))) / MB;
    console.log(`image: ${over.toFixed(0)} MB over its base (goal: ${GOAL.megabytes})`);
    const rows = [];
    for (const container of await composition.containers()) {
      const role = serviceOf(container);
      if (!ROLES.includes(role)) continue;
      await engine.docker(['restart', container.Id]);
      const readySeconds = await secondsUntilReady(container.Id);
      await pause(SETTLE_MS);
      rows.push({ role, readySeconds, memoryMegabytes: await residentMegabytes(container.Id) });
    }
    console.table(rows);
    console.log(`goals: ready within ${GOAL.readySeconds} s, at most ${GOAL.memoryMegabytes} MB`);
  } finally {
    await composition.down();
  }
} finally {
  await engine.stop();
}

/** From the container's start to the log line that says so. */
async function secondsUntilReady(id: string): Promise<number> {
  const startedAt = (await engine.docker(['inspect', id, '--format', '{{.State.StartedAt}}'])).trim();
  const deadline = performance.now() + READY_WITHIN_MS;
  for (;;) {
    const lines = (await engine.docker(['logs', '--since', startedAt, id])).split('\n');
    const ready = lines.findLast((line) => line.includes('"msg":"ready"'));
    if (ready) {
      const { time }: { time: string } = JSON.parse(ready);
      return Number(((Date.parse(time) - Date.parse(startedAt)) / 1_000).toFixed(2));
    }
    if (performance.now() > deadline) throw new Error(`not ready within ${READY_WITHIN_MS} ms`);
    await pause(POLL_MS);
  }
}

async function residentMegabytes(id: string): Promise<number> {
  const pid = (await engine.docker(['inspect', id, '--format', '{{.State.Pid}}'])).trim();
  const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Math.round(Number(kilobytes) / 1024);
}
