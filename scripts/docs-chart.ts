import { fileURLToPath } from 'node:url';
import { isMap, isScalar, type Pair, parseDocument, stringify, type YAMLMap } from 'yaml';
import { readPage, writeGeneratedPages } from './generated-pages.ts';

const CHART = 'charts/casewatch';
const PAGE = `${CHART}/README.md`;
const SCHEMA = `${CHART}/values.schema.json`;
const BEGIN = '<!-- values: made by `npm run docs` -->';
const END = '<!-- end of values -->';
/** What begins a comment that describes the value below it. */
const DESCRIBES = /^ ?-- /;
const MAX_DEFAULT = 120;

export interface ChartValue {
  /** Keys with dots between. */
  name: string;
  type: string;
  default: string;
  description: string;
}

interface Schema {
  $ref?: string;
  description?: string;
  type?: string | string[];
  enum?: unknown[];
  anyOf?: Schema[];
  properties?: Record<string, Schema>;
  definitions?: Record<string, Schema>;
}

/** Returns the chart's README with the table of its values as `values.yaml` and `values.schema.json` have them. */
export function chartPage(): string {
  const page = readPage(PAGE);
  const [before, rest] = page.split(BEGIN);
  const after = rest?.split(END)[1];
  if (before === undefined || after === undefined)
    throw new Error(`${PAGE}: the marks of the table are missing`);
  return `${before}${BEGIN}\n\n${table(chartValues())}\n\n${END}${after}`;
}

/** Returns the schema of the values with the descriptions of `values.yaml`, which editors show. */
export function chartSchema(): string {
  const schema: Schema = JSON.parse(readPage(SCHEMA));
  for (const { name, description } of chartValues()) {
    let here: Schema | undefined = schema;
    for (const key of name.split('.')) here = here && resolve(here, schema).properties?.[key];
    if (here) here.description = description;
  }
  return `${JSON.stringify(schema, null, 2)}\n`;
}

/** @throws when a value has no description, or the schema does not know it */
export function chartValues(): ChartValue[] {
  const schema: Schema = JSON.parse(readPage(SCHEMA));
  const { contents } = parseDocument(readPage(`${CHART}/values.yaml`));
  if (!isMap(contents)) throw new Error('values.yaml is not a map');
  return valuesIn(contents, [], schema, schema);
}

function valuesIn(map: YAMLMap, path: readonly string[], schema: Schema, root: Schema): ChartValue[] {
  return map.items.flatMap((pair, index) => {
    const name = [...path, String(pair.key)];
    const own = resolve(schema, root).properties?.[String(pair.key)];
    if (!own) throw new Error(`values.schema.json does not know ${name.join('.')}`);
    const description = descriptionOf(pair, index === 0 ? map : undefined);
    if (description) {
      return [{ name: name.join('.'), type: typeOf(own, root), default: defaultOf(pair.value), description }];
    }
    if (isMap(pair.value) && pair.value.items.length > 0) return valuesIn(pair.value, name, own, root);
    throw new Error(`values.yaml: ${name.join('.')} has no description ("# -- …" above it)`);
  });
}

/** The lines from the one that begins with `--` on: what stands above is about what follows as a whole. */
function descriptionOf(pair: Pair, mapItBegins?: YAMLMap): string | undefined {
  // The parser gives a comment at the beginning of a map to the map.
  const comment = (isScalar(pair.key) && pair.key.commentBefore) || mapItBegins?.commentBefore;
  const lines = comment ? comment.split('\n') : [];
  const begin = lines.findIndex((line) => DESCRIBES.test(line));
  if (begin < 0) return undefined;
  return lines
    .slice(begin)
    .map((line) => line.replace(DESCRIBES, '').trim())
    .join(' ');
}

/** Follows `#/definitions/<name>` and `#/definitions/<name>/properties/<key>`. */
function resolve(schema: Schema, root: Schema): Schema {
  const [, , name, , key] = schema.$ref?.split('/') ?? [];
  if (name === undefined) return schema;
  const defined = root.definitions?.[name] ?? {};
  return resolve(key === undefined ? defined : (defined.properties?.[key] ?? {}), root);
}

function typeOf(given: Schema, root: Schema): string {
  const schema = resolve(given, root);
  if (schema.enum) return schema.enum.map((one) => (one === '' ? 'empty' : String(one))).join(', ');
  if (schema.anyOf) return schema.anyOf.map((one) => typeOf(one, root)).join(' or ');
  return [schema.type ?? 'any'].flat().join(' or ');
}

function defaultOf(value: unknown): string {
  const text = stringify(value, {
    collectionStyle: 'flow',
    lineWidth: 0,
    flowCollectionPadding: true,
  }).trim();
  if (text === '""' || text === '') return 'empty';
  return text.length > MAX_DEFAULT ? 'see values.yaml' : `\`${text}\``;
}

function table(values: readonly ChartValue[]): string {
  const rows = values.map(({ name, type, default: usual, description }) =>
    [`\`${name}\``, type, usual, description].map((cell) => cell.replaceAll('|', '\\|')).join(' | '),
  );
  return [
    '| value | type | default | what it does |',
    '|---|---|---|---|',
    ...rows.map((row) => `| ${row} |`),
  ].join('\n');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeGeneratedPages({ [PAGE]: chartPage(), [SCHEMA]: chartSchema() });
}
