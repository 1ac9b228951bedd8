import { readFile } from 'node:fs/promises';
import { type PrismaTable, parsePrismaTables } from './prisma-schema-text.ts';
import type { TestDatabase } from './test-database.ts';

/** Tables that the platform keeps in every service's schema and reads without Prisma. */
const PLATFORM_TABLES = ['outbox', 'inbox', 'dead_letters', 'schema_migrations', 'platform_migrations'];

interface DatabaseColumn {
  name: string;
  type: string;
  nullable: boolean;
  has_default: boolean;
}

interface DatabaseTable {
  columns: DatabaseColumn[];
  primaryKey: string[];
  uniques: string[][];
}

/**
 * Returns every disagreement between the models of a `schema.prisma` and the migrated schema, one sentence each: tables,
 * columns with type and nullability, defaults that Prisma leaves to the database, primary keys and
 * uniques: what the client acts on. Partial and expression indexes are not compared: Prisma can't write them.
 */
export async function comparePrismaWithDatabase(
  schemaPrismaPath: string | URL,
  database: Pick<TestDatabase, 'query'>,
  schemaName: string,
): Promise<string[]> {
  const models = parsePrismaTables(await readFile(schemaPrismaPath, 'utf8'));
  const tables = await readTables(database, schemaName);
  const problems = [...tables.keys()]
    .filter((table) => !models.some((model) => model.table === table))
    .map((table) => `${table}: the table has no model`);
  for (const model of models) {
    const table = tables.get(model.table);
    problems.push(...(table ? compareTable(model, table) : [`${model.table}: the model has no table`]));
  }
  return problems;
}

function compareTable(model: PrismaTable, table: DatabaseTable): string[] {
  const problems: string[] = [];
  const say = (problem: string) => problems.push(`${model.table}${problem}`);
  for (const column of table.columns) {
    if (!model.columns.some(({ name }) => name === column.name))
      say(`.${column.name}: the column has no field`);
  }
  for (const field of model.columns) {
    const column = table.columns.find(({ name }) => name === field.name);
    if (!column) {
      say(`.${field.name}: the field has no column`);
      continue;
    }
    if (field.type !== column.type) {
      say(`.${field.name}: ${field.type ?? 'a type unknown here'} in Prisma, ${column.type} in the database`);
    }
    if (field.nullable !== column.nullable) {
      say(`.${field.name}: ${nullability(field)} in Prisma, ${nullability(column)} in the database`);
    }
    if (field.databaseDefault && !column.has_default) say(`.${field.name}: the database has no default`);
  }
  const inPrisma = keysOf(model);
  const inDatabase = keysOf(table);
  for (const key of inPrisma.filter((key) => !inDatabase.includes(key))) say(`: only Prisma has ${key}`);
  for (const key of inDatabase.filter((key) => !inPrisma.includes(key)))
    say(`: only the database has ${key}`);
  return problems;
}

const nullability = ({ nullable }: { nullable: boolean }) => (nullable ? 'optional' : 'required');

function keysOf({ primaryKey, uniques }: Omit<DatabaseTable, 'columns'>): string[] {
  return [
    `the primary key (${primaryKey.join(', ')})`,
    ...uniques.map((columns) => `the unique (${columns.join(', ')})`),
  ];
}

async function readTables(database: Pick<TestDatabase, 'query'>, schema: string) {
  const names = await database.query<{ table: string }>(
    `SELECT relname AS table FROM pg_class
     WHERE relnamespace = $1::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
       AND NOT relname = ANY ($2)
     ORDER BY relname`,
    [schema, PLATFORM_TABLES],
  );
  const tables = new Map<string, DatabaseTable>();
  for (const { table } of names) tables.set(table, await readTable(database, schema, table));
  return tables;
}

async function readTable(
  database: Pick<TestDatabase, 'query'>,
  schema: string,
  table: string,
): Promise<DatabaseTable> {
  const parameters = [schema, table];
  const columns = await database.query<DatabaseColumn>(
    `SELECT attname AS name, format_type(atttypid, atttypmod) AS type, NOT attnotnull AS nullable,
            atthasdef OR attidentity <> '' AS has_default
     FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
     WHERE relnamespace = $1::regnamespace AND relname = $2 AND attnum > 0 AND NOT attisdropped
     ORDER BY attnum`,
    parameters,
  );
  const indexes = await database.query<{ primary: boolean; columns: string[] }>(
    `SELECT indisprimary AS primary,
            array(SELECT attname::text FROM unnest(indkey[0 : indnkeyatts - 1]) WITH ORDINALITY AS key (attnum, nth)
                  JOIN pg_attribute ON attrelid = indrelid AND pg_attribute.attnum = key.attnum
                  ORDER BY nth) AS columns
     FROM pg_index JOIN pg_class ON pg_class.oid = indrelid
     WHERE relnamespace = $1::regnamespace AND relname = $2 AND indisunique AND indpred IS NULL AND indexprs IS NULL`,
    parameters,
  );
  return {
    columns,
    primaryKey: indexes.find(({ primary }) => primary)?.columns ?? [],
    uniques: indexes.filter(({ primary }) => !primary).map((index) => index.columns),
  };
}
