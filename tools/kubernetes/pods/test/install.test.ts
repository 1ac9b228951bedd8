import { describe, expect, it } from 'vitest';
import { PRODUCT_REPOSITORY, VERSIONS } from '../src/pod-images.ts';
import { HELM_PATIENCE, leftOf } from '../src/release.ts';
import { openRelease } from './open-release.ts';

/** The chart and the image on a real node: from nothing to a product that works, and back to nothing. */

const world = openRelease({ bring: false });

describe('the install', () => {
  it('is into a namespace that refuses pods which are not restricted', async () => {
    const image = `${PRODUCT_REPOSITORY}:${VERSIONS[0]}`;
    await expect(world.release.kubectl('run', 'plain', '--image', image)).rejects.toThrow(
      /violates PodSecurity "restricted/,
    );
  });

  it('comes up whole, with Kafka, PostgreSQL and Redis outside the cluster', async () => {
    const { release } = world;
    await release.helm('install', ...release.words(), ...HELM_PATIENCE).catch(release.withDiagnostics);
    const { items } = JSON.parse(await release.kubectl('get', 'deployments', '-o', 'json'));
    // The roles, and the agency's simulator.
    expect(items).toHaveLength(release.roles.length + 1);
    for (const { status, spec } of items) expect(status.readyReplicas).toBe(spec.replicas);
  }, 900_000);

  it('passes helm test: sign up, look up, save, watch, and be notified of a move', async () => {
    const { release } = world;
    const output = await release
      .helm('test', 'casewatch', '--logs', '--timeout', '300s')
      .catch(release.withDiagnostics);
    expect(output).toContain('the main flow works');
  }, 400_000);

  it('runs without privileges: no root, no capability, nothing to write to but /tmp', async () => {
    const { release } = world;
    const program =
      'const fs = require("node:fs"); const status = fs.readFileSync("/proc/self/status", "utf8"); let wrote = "wrote"; try { fs.writeFileSync("/app/x", "") } catch (error) { wrote = error.code } fs.writeFileSync("/tmp/x", ""); console.log(process.getuid(), /CapEff:\\s+(\\w+)/.exec(status)[1], /Seccomp:\\s+(\\d)/.exec(status)[1], wrote)';
    for (const role of release.roles) {
      const output = await release.kubectl('exec', `deploy/casewatch-${role}`, '--', 'node', '-e', program);
      expect(output.trim(), role).toBe('10001 0000000000000000 2 EROFS');
    }
  }, 120_000);

  it('goes without leaving anything behind', async () => {
    const { release } = world;
    await release.helm('uninstall', 'casewatch', '--wait', '--timeout', '300s');
    // The pod of `helm test` is no part of the release: it stays, with its log, until the next test.
    const own = 'app.kubernetes.io/instance=casewatch,app.kubernetes.io/component!=test';
    await release.kubectl('wait', '--for=delete', 'pod', '-l', own, '--timeout=200s');
    expect(await leftOf(release)).toEqual([]);
  }, 600_000);
});
