import pg from 'pg';
import { afterEach, describe, expect, it } from 'vitest';
import { type LoadResult, startLoad, sumOf } from '../src/load-pod.ts';
import { removePod } from '../src/pod-actions.ts';
import { VERSIONS } from '../src/pod-images.ts';
import { HELM_PATIENCE } from '../src/release.ts';
import { openRelease } from './open-release.ts';

/** Upgrades and rollbacks of every role under load, on a real node: no request fails, not even when the upgrade fails. */

const world = openRelease();
const NEVER_READY_PATIENCE = ['--wait', '--timeout', '150s'];
/** Without the wait for the endpoints to change, and with requests in progress cut after a second. */
const CARELESS = ['defaults.preStopSeconds=0', 'defaults.drainSeconds=1'];
const upgradeTo = (tag: string, ...set: string[]) => [
  'upgrade',
  ...world.release.words(`image.tag=${tag}`, ...set),
];

afterEach(() => removePod(world.release, 'load'));

/** The answers of requests during `work`. */
async function underLoad(name: string, work: () => Promise<unknown>): Promise<LoadResult> {
  const load = await startLoad(world.release);
  const startedAt = performance.now();
  await work();
  const seconds = (performance.now() - startedAt) / 1000;
  const result = await load.end();
  const { kept, fresh, slow } = result.requests;
  const of = `${sumOf(result)} requests (${kept} kept, ${fresh} fresh, ${slow} slow)`;
  console.log(`${name}: ${seconds.toFixed(0)} s, ${of}, ${result.failed} failed`, result.failures);
  expect(kept, 'kept connections were in use').toBeGreaterThan(50);
  expect(fresh, 'many connections were made').toBeGreaterThan(200);
  expect(slow, 'some request was always in progress').toBeGreaterThan(6);
  return result;
}

describe('under load', () => {
  it('an upgrade of every role fails no request', async () => {
    const { release } = world;
    const { failures } = await underLoad('upgrade', () =>
      release.helm(...upgradeTo(VERSIONS[1]), ...HELM_PATIENCE).catch(release.withDiagnostics),
    );
    expect(failures).toEqual({});
    expect((await release.running()).tags).toEqual(new Set([VERSIONS[1]]));
  }, 1_200_000);

  it('a rollback fails no request', async () => {
    const { release } = world;
    const { failures } = await underLoad('rollback', () =>
      release.helm('rollback', 'casewatch', ...HELM_PATIENCE).catch(release.withDiagnostics),
    );
    expect(failures).toEqual({});
    expect((await release.running()).tags).toEqual(new Set([VERSIONS[0]]));
  }, 1_200_000);

  it('an image that never gets ready is taken back, and no request fails', async () => {
    const { release } = world;
    const words = [...upgradeTo('never-ready'), ...NEVER_READY_PATIENCE, '--rollback-on-failure'];
    const { failures } = await underLoad('never ready', () =>
      expect(release.helm(...words)).rejects.toThrow(/has been rolled back/),
    );
    expect(failures).toEqual({});
    expect((await release.running()).tags).toEqual(new Set([VERSIONS[0]]));
    const [last] = JSON.parse(await release.helm('history', 'casewatch', '-o', 'json')).slice(-1);
    expect(last.description).toMatch(/^Rollback to/);
    expect(last.status).toBe('deployed');
  }, 1_200_000);

  it('a migration that fails changes neither pods nor schema, and no request fails', async () => {
    const { release } = world;
    const before = await release.running();
    const words = upgradeTo('bad-migration', 'migrations.backoffLimit=0');
    const { failures } = await underLoad('bad migration', () =>
      expect(release.helm(...words, ...HELM_PATIENCE, '--rollback-on-failure')).rejects.toThrow(
        /pre-upgrade hooks failed/,
      ),
    );
    expect(failures).toEqual({});
    expect(await release.running()).toEqual(before);
    expect(await isThere('cases.half_done')).toBe(false);
  }, 1_200_000);

  it('the same upgrade of pods that end without leaving and draining does fail requests', async () => {
    const { release } = world;
    await release.bring(...CARELESS);
    const { failures, failed } = await underLoad('control', () =>
      release.helm(...upgradeTo(VERSIONS[1], ...CARELESS), ...HELM_PATIENCE).catch(release.withDiagnostics),
    );
    expect(failed).toBeGreaterThan(0);
    // Sent to a pod that no longer listened, or cut while it was in progress.
    expect(Object.keys(failures).join('\n')).toMatch(/ECONNREFUSED|ECONNRESET/);
  }, 1_800_000);
});

async function isThere(table: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: world.release.outside.ownerUrl });
  await client.connect();
  try {
    const { rows } = await client.query('SELECT to_regclass($1) IS NOT NULL AS there', [table]);
    return rows[0].there;
  } finally {
    await client.end();
  }
}
