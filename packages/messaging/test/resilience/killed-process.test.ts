import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { systemClock } from '@casewatch/service-kit/runtime/clock';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { BusHarness } from '../bus-harness.ts';
import { bus, counted, perKey, quick, recorder, upTo } from '../bus-scenarios.ts';
import { createInProcessHarness } from '../in-process-harness.ts';

const KILLS = 3;
let harness: BusHarness;
let child: ChildProcess | undefined;
beforeAll(async () => {
  harness = await createInProcessHarness();
});
afterAll(async () => {
  child?.kill('SIGKILL');
  await harness.close();
});

test('R1, R2: a process killed in the middle of handling, again and again: every effect once, in order', async () => {
  const keys = upTo(40).map((key) => `key-${key}`);
  await harness.database.transaction('billing', (tx) =>
    bus.publishAll(
      tx,
      counted,
      keys.flatMap((userId) => upTo(25).map((loginCount) => ({ userId, loginCount }))),
    ),
  );
  const handled = async () => (await harness.database.effects('notifications')).length;
  for (let kills = 0; kills < KILLS; kills++) {
    const before = await handled();
    child = startChild();
    while ((await handled()) < before + 60) await systemClock.sleep(5);
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
  expect(await handled()).toBeLessThan(1_000);

  const member = await harness.startMember({ handlers: [recorder('notifications')], policy: quick });
  await member.idle();
  await member.stop();
  expect(perKey(await harness.database.effects('notifications'))).toEqual(
    Object.fromEntries(keys.map((key) => [key, upTo(25)])),
  );
});

function startChild(): ChildProcess {
  const program = fileURLToPath(new URL('./member-process.ts', import.meta.url));
  const urls = [harness.database.urlFor('billing'), harness.database.urlFor('notifications')];
  return spawn(process.execPath, [program, ...urls], { stdio: ['ignore', 'ignore', 'inherit'] });
}
