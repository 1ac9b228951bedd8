import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type MovingCases, watchCases } from '../src/moving-cases.ts';
import { patiently } from '../src/patiently.ts';
import { roles } from '../src/release-values.ts';
import { openRelease } from './open-release.ts';

/** Every role killed, starved and hung on a real node while watched cases move: it comes back, and each move is delivered once. */

const world = openRelease();
let begin: Awaited<ReturnType<typeof watchCases>>;
beforeAll(async () => {
  begin = await watchCases(world.release, 0);
}, 300_000);

/** How many at a time: each takes the patience of its liveness probe. */
const HUNG_TOGETHER = [
  ['gateway', 'cases', 'billing'],
  ['identity', 'monitoring', 'surveys'],
  ['notifications', 'admin-log'],
];
const CALM = expect.objectContaining({ lost: [], doubled: [] });

/** Cases move while the tests of a `describe` run; the last of them judges. */
function whileCasesMove(title: string): MovingCases {
  let flow: MovingCases;
  let ended = false;
  beforeAll(() => {
    flow = begin(title);
  });
  const end = async () => {
    ended = true;
    const result = await flow.end();
    console.log(`${title}: ${result.rounds} rounds`, result);
    return result;
  };
  afterAll(async () => {
    if (!ended) await end();
  }, 400_000);
  return { delivered: () => flow.delivered(), end };
}

/** Does `harm` to the container of a role; resolves when the kubelet has started it again and it is ready. */
async function comesBack(
  role: string,
  harm: (container: string, pod: string) => Promise<void>,
): Promise<string> {
  const { release } = world;
  const before = await release.podOf(role);
  await harm(before.container, before.name);
  await patiently(
    `${role} is back`,
    async () => {
      const now = await release.podOf(role);
      return now.name === before.name && now.restarts > before.restarts && now.ready;
    },
    300_000,
  );
  return (await release.podOf(role)).lastReason ?? '';
}

describe('killed', () => {
  const flow = whileCasesMove('Killed');

  it.each(roles)(
    '%s is started again',
    async (role) => {
      await comesBack(role, async (container) => {
        process.kill(await world.release.node.processOf(container), 'SIGKILL');
      });
    },
    330_000,
  );

  it('nothing was lost and nothing doubled', async () => {
    expect(await flow.end()).toEqual(CALM);
  }, 700_000);
});

describe('out of memory', () => {
  const flow = whileCasesMove('Starved');

  it.each(roles)(
    '%s is killed by the kernel and started again',
    async (role) => {
      const reason = await comesBack(role, async (container, pod) => {
        const pid = await world.release.node.processOf(container);
        // The kernel takes the service, not one of the small programs that use up the memory.
        writeFileSync(`/proc/${pid}/oom_score_adj`, '1000');
        const eat = '(head -c 60m /dev/zero; sleep 10) | tail >/dev/null &';
        const all = `for i in 1 2 3 4 5 6 7 8 9; do ${eat} done; wait`;
        await world.release.kubectl('exec', pod, '--', 'sh', '-c', all).catch(() => undefined);
      });
      expect(reason).toBe('OOMKilled');
    },
    330_000,
  );

  it('nothing was lost and nothing doubled', async () => {
    expect(await flow.end()).toEqual(CALM);
  }, 700_000);
});

describe('hung', () => {
  const flow = whileCasesMove('Hung');

  it('is tried with every role', () => {
    expect(HUNG_TOGETHER.flat().toSorted()).toEqual([...roles].toSorted());
  });

  it.each(HUNG_TOGETHER.map((hung) => [hung.join(', '), hung] as const))(
    'without an answer to the liveness probe, %s started again',
    async (_, hung) => {
      await Promise.all(
        hung.map((role) =>
          comesBack(role, async (container) => {
            // Takes connections, as the kernel does that for it, and answers none.
            process.kill(await world.release.node.processOf(container), 'SIGSTOP');
          }),
        ),
      );
      // Before the next ones hang: no move gets through while any of a chain is down.
      await flow.delivered();
    },
    700_000,
  );

  it('nothing was lost and nothing doubled', async () => {
    expect(await flow.end()).toEqual(CALM);
  }, 700_000);
});
