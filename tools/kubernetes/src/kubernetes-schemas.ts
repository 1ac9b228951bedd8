import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { makeOnce } from '@casewatch/dev-stack/tools/make-once';
import { parseAllDocuments } from 'yaml';
import { crdFiles, crdFingerprint } from './crd-files.ts';
import { goModuleFolder, toolCacheFolder } from './go-tool.ts';

type Json = Record<string, unknown>;

const KIND_KEY = 'x-kubernetes-group-version-kind';
const REFERENCE = '#/definitions/';
const DIALECT = 'http://json-schema.org/draft-07/schema#';
/** kubeconform's own scheme: `deployment-apps-v1.json`. */
export const SCHEMA_LOCATION = '{{ .ResourceKind }}{{ .KindSuffix }}.json';
const NOT_NEEDED = new Set(['description', 'default', 'example', 'format']);

/**
 * Returns the folder of strict JSON schemas for kubeconform: of every kind of the Kubernetes version that `go.mod` pins, from its
 * own OpenAPI file, and of the custom kinds that the chart can make. Unknown fields are errors. Made once, kept.
 */
export async function kubernetesSchemas(): Promise<string> {
  const folder = path.join(toolCacheFolder(), `schemas-${crdFingerprint()}`);
  await makeOnce(folder, async (made) => {
    mkdirSync(made, { recursive: true });
    await writeBuiltIn(made);
    await writeCustom(made);
  });
  return folder;
}

async function writeBuiltIn(folder: string): Promise<void> {
  const source = await goModuleFolder('k8s.io/kubernetes');
  const { definitions } = JSON.parse(
    readFileSync(path.join(source, 'api', 'openapi-spec', 'swagger.json'), 'utf8'),
  ) as { definitions: Record<string, Json> };
  const strict = Object.fromEntries(
    Object.entries(definitions).map(([name, schema]) => [name, strictly(schema) as Json]),
  );
  // Written as a number as often as as a text.
  strict['io.k8s.apimachinery.pkg.api.resource.Quantity'] = { type: ['string', 'number', 'null'] };
  for (const [name, schema] of Object.entries(definitions)) {
    for (const { group, version, kind } of kindsOf(schema)) {
      const needed = new Set<string>();
      collectReferences(strict[name], strict, needed);
      write(
        folder,
        { group, version, kind },
        {
          ...strict[name],
          $schema: DIALECT,
          definitions: Object.fromEntries([...needed].map((each) => [each, strict[each]])),
        },
      );
    }
  }
}

async function writeCustom(folder: string): Promise<void> {
  for (const file of await crdFiles()) {
    for (const document of parseAllDocuments(readFileSync(file, 'utf8'))) {
      const { kind, spec } = document.toJS() ?? {};
      if (kind !== 'CustomResourceDefinition') continue;
      for (const { name: version, schema } of spec.versions) {
        const strict = strictly(schema.openAPIV3Schema) as Json & { properties: Json };
        const properties = { apiVersion: {}, kind: {}, ...strict.properties, metadata: { type: 'object' } };
        write(
          folder,
          { group: spec.group, version, kind: spec.names.kind },
          {
            ...strict,
            properties,
            $schema: DIALECT,
          },
        );
      }
    }
  }
}

interface Kind {
  group: string;
  version: string;
  kind: string;
}

function kindsOf(schema: Json): Kind[] {
  const kinds = schema[KIND_KEY];
  const isObject = typeof schema.properties === 'object' && schema.properties && 'kind' in schema.properties;
  if (!Array.isArray(kinds) || !isObject) return [];
  return kinds.filter(({ kind }) => kind !== 'DeleteOptions' && kind !== 'WatchEvent');
}

function write(folder: string, { group, version, kind }: Kind, schema: Json): void {
  const parts = [kind.toLowerCase(), group.split('.')[0], version].filter((part) => part !== '');
  writeFileSync(path.join(folder, `${parts.join('-')}.json`), JSON.stringify(schema));
}

/** The schema with every field known: others are refused, and null is as good as absent, as for the API server. */
function strictly(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(strictly);
  if (typeof schema !== 'object' || schema === null) return schema;
  const given = schema as Json;
  if (given['x-kubernetes-int-or-string'] || given.format === 'int-or-string') {
    return { type: ['string', 'integer', 'null'] };
  }
  const made: Json = {};
  for (const [key, value] of Object.entries(given)) {
    // The names below `properties` are fields: one may well be called "format".
    if (key === 'properties') made[key] = mapValues(value as Json, strictly);
    else if (!NOT_NEEDED.has(key)) made[key] = strictly(value);
  }
  if (typeof made.type === 'string') made.type = [made.type, 'null'];
  if (Array.isArray(made.enum)) made.enum = [...made.enum, null];
  const open = 'additionalProperties' in made || made['x-kubernetes-preserve-unknown-fields'];
  if (made.properties && !open) made.additionalProperties = false;
  return made;
}

function mapValues(object: Json, change: (value: unknown) => unknown): Json {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]));
}

function collectReferences(schema: unknown, all: Record<string, Json>, found: Set<string>): void {
  if (typeof schema !== 'object' || schema === null) return;
  for (const [key, value] of Object.entries(schema)) {
    if (key === '$ref' && typeof value === 'string') {
      const name = value.slice(REFERENCE.length);
      if (found.has(name)) continue;
      found.add(name);
      collectReferences(all[name], all, found);
    } else collectReferences(value, all, found);
  }
}
