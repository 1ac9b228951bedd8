/** What a `schema.prisma` says of one table, in the database's words. */
export interface PrismaTable {
  table: string;
  columns: PrismaColumn[];
  primaryKey: string[];
  uniques: string[][];
}

export interface PrismaColumn {
  name: string;
  /** As PostgreSQL's `format_type` writes it; undefined for a type that is not known here. */
  type: string | undefined;
  nullable: boolean;
  /** Prisma leaves the value to the database. */
  databaseDefault: boolean;
}

interface Field {
  name: string;
  type: string;
  modifier: string;
  attributes: string;
}

/** PostgreSQL's type of a Prisma scalar without a native type (Prisma's reference, "PostgreSQL type mapping"). */
const DEFAULT_TYPES: Readonly<Record<string, string>> = {
  String: 'text',
  Boolean: 'boolean',
  Int: 'integer',
  BigInt: 'bigint',
  DateTime: 'timestamp(3) without time zone',
  Bytes: 'bytea',
};

/** Of the native types that are in use. */
const NATIVE_TYPES: Readonly<Record<string, (size: string) => string>> = {
  Uuid: () => 'uuid',
  SmallInt: () => 'smallint',
  Timestamptz: (size) => `timestamp${size && `(${size})`} with time zone`,
};

/** Reads the models of a `schema.prisma` text; relations say nothing of a table. */
export function parsePrismaTables(text: string): PrismaTable[] {
  const blocks = [...text.matchAll(/^model\s+(\w+)\s*\{\n([\s\S]*?)^\}/gm)];
  const models = blocks.map(([, name = '', body = '']) => readModel(name, body));
  const names = models.map(({ name }) => name);
  return models.map((model) => {
    const columns = model.fields.filter(({ type }) => !names.includes(type));
    return {
      table: model.table,
      columns: columns.map(toColumn),
      primaryKey: keyOf(model, 'id')[0] ?? [],
      uniques: keyOf(model, 'unique'),
    };
  });
}

type Model = ReturnType<typeof readModel>;

function readModel(name: string, body: string) {
  const lines = body.split('\n').map((line) => line.replace(/(^|\s)\/\/.*$/, '').trim());
  const fields = lines.flatMap((line): Field[] => {
    const [, field, type, modifier = '', attributes = ''] =
      /^(\w+)\s+(\w+)(\[\]|\?)?\s*(.*)$/.exec(line) ?? [];
    return field && type ? [{ name: field, type, modifier, attributes }] : [];
  });
  const blockAttributes = lines.filter((line) => line.startsWith('@@'));
  const mapped = blockAttributes.map((line) => /^@@map\("([^"]+)"\)/.exec(line)?.[1]).find(Boolean);
  return { name, table: mapped ?? name, fields, blockAttributes };
}

function toColumn({ name, type, modifier, attributes }: Field): PrismaColumn {
  const [, native, size = ''] = /@db\.(\w+)(?:\(([^)]*)\))?/.exec(attributes) ?? [];
  const base = native ? NATIVE_TYPES[native]?.(size) : DEFAULT_TYPES[type];
  return {
    name: columnName(name, attributes),
    type: base && modifier === '[]' ? `${base}[]` : base,
    nullable: modifier === '?',
    databaseDefault: /@default\((?:dbgenerated|autoincrement|sequence)\(/.test(attributes),
  };
}

function columnName(name: string, attributes: string): string {
  return /(?:^|\s)@map\("([^"]+)"\)/.exec(attributes)?.[1] ?? name;
}

/** The column lists of `@id`/`@@id` or `@unique`/`@@unique`. */
function keyOf(model: Model, kind: 'id' | 'unique'): string[][] {
  const single = model.fields.filter(({ attributes }) => new RegExp(`(^|\\s)@${kind}\\b`).test(attributes));
  const compound = model.blockAttributes.flatMap((line) => {
    const list = new RegExp(`^@@${kind}\\((?:fields:\\s*)?\\[([^\\]]*)\\]`).exec(line)?.[1];
    return list === undefined ? [] : [columnsOf(model, list)];
  });
  return [...single.map(({ name, attributes }) => [columnName(name, attributes)]), ...compound];
}

function columnsOf(model: Model, list: string): string[] {
  return list.split(',').map((entry) => {
    const name = entry.trim().replace(/\(.*$/, '');
    const field = model.fields.find((candidate) => candidate.name === name);
    return field ? columnName(field.name, field.attributes) : name;
  });
}
