import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { type ControlPlane, startControlPlane } from '../../src/control-plane.ts';
import { crdFiles } from '../../src/crd-files.ts';
import { chartFolder, EXAMPLES, helm, OPERATOR_WORDS } from '../../src/helm.ts';
import { parseManifests } from '../../src/parse-manifests.ts';

/**
 * Argo CD and Flux compare what is rendered with what the API server keeps. Fields that it adds to an object are passed over, but lists are
 * compared as a whole: a default that is left out inside one keeps the application out of sync for ever.
 */
const NAMESPACE = 'shop';
const objectSchema = z.looseObject({ kind: z.string(), metadata: z.looseObject({ name: z.string() }) });
let cluster: ControlPlane;

beforeAll(async () => {
  cluster = await startControlPlane();
  for (const file of await crdFiles()) await cluster.kubectl(['apply', '--server-side', '-f', file]);
  await cluster.kubectl(['wait', '--for=condition=Established', 'crd', '--all', '--timeout=60s']);
  await cluster.kubectl(['create', 'namespace', NAMESPACE]);
}, 1_800_000);
afterAll(() => cluster?.stop(), 60_000);

it.each(Object.entries(EXAMPLES))(
  '%s stays in sync: the API server adds nothing inside lists',
  async (_, files) => {
    const text = await helm([
      ...['template', 'r', chartFolder, '-n', NAMESPACE, '--skip-tests', ...OPERATOR_WORDS],
      ...files.flatMap((file) => ['-f', file]),
    ]);
    const apply = ['apply', '--server-side', '--dry-run=server', '--validate=strict', '-o', 'json'];
    const { items } = JSON.parse(await cluster.kubectl([...apply, '-n', NAMESPACE, '-f', '-'], text));
    const live = z.array(objectSchema).parse(items);
    const rendered = parseManifests(text);
    expect(live).toHaveLength(rendered.length);
    for (const one of rendered) {
      const kept = live.find(
        ({ kind, metadata }) => kind === one.kind && metadata.name === one.metadata.name,
      );
      expect(differences(one, kept), `${one.kind} ${one.metadata.name}`).toEqual([]);
    }
  },
);

it('a default that is left out inside a list is seen', () => {
  const live = { spec: { clusterIP: '10.0.0.1', ports: [{ port: 80, protocol: 'TCP' }] } };
  expect(differences({ spec: { ports: [{ port: 80 }] } }, live)).toEqual(['spec.ports.0.protocol is added']);
});

/** Where the live object differs from the rendered one. What is added outside lists is not a difference. */
function differences(
  rendered: unknown,
  live: unknown,
  place: readonly string[] = [],
  isInList = false,
): string[] {
  if (typeof rendered !== 'object' || rendered === null) {
    // A key that is null is as good as absent.
    const isSame = rendered === live || (rendered === null && live === undefined);
    return isSame
      ? []
      : [`${place.join('.')} is ${JSON.stringify(live)} and not ${JSON.stringify(rendered)}`];
  }
  const kept: Record<string, unknown> = typeof live === 'object' && live !== null ? { ...live } : {};
  const isList = Array.isArray(rendered);
  const added = Object.keys(kept).filter((key) => !(key in rendered));
  return [
    ...(isInList || isList ? added.map((key) => `${[...place, key].join('.')} is added`) : []),
    ...Object.entries(rendered).flatMap(([key, value]) =>
      differences(value, kept[key], [...place, key], isInList || isList),
    ),
  ];
}
