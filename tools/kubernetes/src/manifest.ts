import type { Manifest } from './parse-manifests.ts';

/** Returns the value at a path of keys and indexes, undefined where there is none. */
export function at(value: unknown, ...path: readonly (string | number)[]): unknown {
  let here = value;
  for (const key of path) {
    if (typeof here !== 'object' || here === null) return undefined;
    here = Reflect.get(here, key);
  }
  return here;
}

export function ofKind(manifests: readonly Manifest[], kind: string): Manifest[] {
  return manifests.filter((manifest) => manifest.kind === kind);
}

/** @throws when there is none of that kind and name */
export function named(manifests: readonly Manifest[], kind: string, name: string): Manifest {
  const found = manifests.find((manifest) => manifest.kind === kind && manifest.metadata.name === name);
  if (found) return found;
  throw new Error(
    `there is no ${kind} ${name}; there are: ${ofKind(manifests, kind)
      .map((one) => one.metadata.name)
      .join(', ')}`,
  );
}

/** Returns the pod template of a Deployment or Job, the spec of a Pod. */
export function podSpec(manifest: Manifest): unknown {
  return manifest.kind === 'Pod' ? manifest.spec : at(manifest, 'spec', 'template', 'spec');
}

/** Returns the names and values (or secret keys, as `secret/key`) of the only container's environment. */
export function environment(manifest: Manifest): Record<string, string> {
  const entries = at(podSpec(manifest), 'containers', 0, 'env');
  if (!Array.isArray(entries)) return {};
  return Object.fromEntries(
    entries.map((entry) => {
      const secret = at(entry, 'valueFrom', 'secretKeyRef');
      const value = secret ? `${at(secret, 'name')}/${at(secret, 'key')}` : at(entry, 'value');
      return [String(at(entry, 'name')), String(value)];
    }),
  );
}
