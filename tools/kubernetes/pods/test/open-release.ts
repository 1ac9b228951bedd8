import { afterAll, beforeAll, inject } from 'vitest';
import { enforcePolicies, type PolicyEnforcer } from '../src/enforce-policies.ts';
import { nodeAccess } from '../src/node-access.ts';
import { createRelease, type Release } from '../src/release.ts';

/** What a file of tests works on, there once its tests run. */
export interface OpenRelease {
  readonly release: Release;
  readonly policies: PolicyEnforcer;
}

/** Enforces policies for as long as this file runs, and brings the release to the state in which every file begins, by default. */
export function openRelease({ bring = true } = {}): OpenRelease {
  let open: OpenRelease | undefined;
  const opened = (): OpenRelease => {
    if (!open) throw new Error('it is opened before the first test');
    return open;
  };
  beforeAll(async () => {
    const node = await nodeAccess();
    open = {
      release: createRelease(node, inject('outside')),
      policies: enforcePolicies(node.kubeconfig),
    };
    if (bring) await open.release.bring();
  }, 900_000);
  afterAll(() => open?.policies.stop());
  return {
    get release() {
      return opened().release;
    },
    get policies() {
      return opened().policies;
    },
  };
}
