import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openGroupMembers } from '../src/group-members.ts';
import { type LoadShape, startLoad, sumOf } from '../src/load-pod.ts';
import { watchCases } from '../src/moving-cases.ts';
import { patiently } from '../src/patiently.ts';
import { removePod } from '../src/pod-actions.ts';
import { PARTITIONS } from '../src/release-values.ts';
import { openRelease } from './open-release.ts';

/** Pods added and removed on a real node: by hand while cases move, and by the autoscaler on what the kubelet measures. */

const world = openRelease();

describe.each(['monitoring', 'notifications'])('%s while cases move', (role) => {
  let begin: Awaited<ReturnType<typeof watchCases>>;
  let members: ReturnType<typeof openGroupMembers>;
  beforeAll(async () => {
    // More than one partition's worth.
    begin = await watchCases(world.release, role === 'monitoring' ? 1_000 : 2_000, 6);
    members = openGroupMembers(world.release.outside.brokers);
  }, 300_000);
  afterAll(() => members?.stop());

  async function scaleTo(replicas: number): Promise<void> {
    const { release } = world;
    await release.kubectl('scale', `deployment/casewatch-${role}`, `--replicas=${replicas}`);
    await patiently(`${role} has ${replicas} pods`, () => release.isScaled(role, replicas), 300_000);
    await patiently(
      `${replicas} of ${role} work`,
      async () => (await members.working(role)) === replicas,
      300_000,
    );
  }

  it(`scaled from 1 to ${PARTITIONS} and back: nothing lost and nothing doubled`, async () => {
    const flow = begin(`Scaled ${role}`);
    await scaleTo(PARTITIONS);
    await scaleTo(1);
    const result = await flow.end();
    console.log(`${role} scaled: ${result.rounds} rounds`);
    expect(result).toEqual(expect.objectContaining({ lost: [], doubled: [] }));
    expect(result.rounds).toBeGreaterThan(2);
  }, 1_200_000);
});

describe('the autoscaler', () => {
  const MOST = 3;
  const CROWD: LoadShape = { kept: 8, fresh: 12, slow: 0 };
  const FEW: LoadShape = { kept: 1, fresh: 0, slow: 2 };
  const gateway = 'services.gateway';
  afterAll(async () => {
    for (const name of ['few', 'crowd']) await removePod(world.release, name);
    await world.release.bring();
  }, 700_000);

  it('adds gateways under load and removes them again, and no request fails', async () => {
    const { release } = world;
    await release.bring(
      ...[`${gateway}.autoscaling.enabled=true`, `${gateway}.autoscaling.minReplicas=1`],
      ...[`${gateway}.autoscaling.maxReplicas=${MOST}`, `${gateway}.resources.requests.cpu=100m`],
    );
    // The chart waits five minutes for the crowd to come back.
    const behavior = { scaleDown: { stabilizationWindowSeconds: 15 } };
    const patch = JSON.stringify({ spec: { behavior } });
    await release.kubectl('patch', 'hpa', 'casewatch-gateway', '--type', 'merge', '-p', patch);
    await patiently('the kubelet measures', async () =>
      (await release.kubectl('top', 'pods')).includes('casewatch-gateway'),
    );

    const few = await startLoad(release, FEW, 'few');
    const crowd = await startLoad(release, CROWD, 'crowd');
    await patiently(`${MOST} gateways`, () => release.isScaled('gateway', MOST), 400_000);
    const ofCrowd = await crowd.end();
    await patiently('one gateway again', () => release.isScaled('gateway', 1), 400_000);
    const ofFew = await few.end();
    console.log(
      `autoscaled: ${sumOf(ofCrowd) + sumOf(ofFew)} requests, ${ofCrowd.failed + ofFew.failed} failed`,
    );
    expect({ ...ofCrowd.failures, ...ofFew.failures }).toEqual({});
  }, 1_500_000);
});
