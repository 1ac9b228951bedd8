import type { Pool } from 'pg';

/** What of one table goes into the data that a user downloads about the account. */
export interface PersonalTable {
  /** The user's rows, `$1` being the user's id; `user_id = $1::uuid` unless given. */
  readonly where?: string;
  /** Columns that are unique together, in the order of the download. */
  readonly key: readonly string[];
  /** Separated by commas, as in a SELECT. */
  readonly columns: string;
  /** What explains a row: name -> SQL expression. */
  readonly more?: Readonly<Record<string, string>>;
  /** Column -> why it is left out. */
  readonly withheld?: Readonly<Record<string, string>>;
}

/** All that a service holds about a user. A test compares it with the tables that there are. */
export interface PersonalData {
  readonly tables: Readonly<Record<string, PersonalTable>>;
  /** Table with a user's id -> why none of it is in the download. */
  readonly leftOut?: Readonly<Record<string, string>>;
}

/** Rows in memory at a time. */
const PAGE = 500;

/**
 * Yields a user's rows as lines of `PersonalRow`, table after table. Each page is read when the one before has been taken: a
 * slow reader costs neither memory nor a connection.
 */
export async function* readPersonalData(
  pool: Pool,
  { tables }: PersonalData,
  userId: string,
): AsyncGenerator<string> {
  for (const [name, table] of Object.entries(tables)) {
    let after: string[] = [];
    for (;;) {
      const { rows } = await pool.query<{ line: string; key: string[] }>(
        statement(name, table, after.length > 0),
        [userId, ...after],
      );
      if (rows.length > 0) yield rows.map(({ line }) => `${line}\n`).join('');
      const last = rows.at(-1);
      if (!last || rows.length < PAGE) break;
      after = last.key;
    }
  }
}

/** Returns the names in a list of columns. */
export const columnsOf = (columns: string) => columns.split(',').map((column) => column.trim());

/** `to_jsonb` writes a line without breaks; a key goes back as text, of which the comparison makes its type again. */
function statement(name: string, { where, key, columns, more = {} }: PersonalTable, goesOn: boolean): string {
  const values = [...columnsOf(columns).map((column) => [column, column]), ...Object.entries(more)];
  const pairs = values.map(([label, value]) => `'${label}', ${value}`).join(', ');
  const after = goesOn ? `AND (${key.join(', ')}) > (${key.map((_, at) => `$${at + 2}`).join(', ')})` : '';
  return `
    SELECT jsonb_build_object('table', '${name}', 'row', jsonb_build_object(${pairs}))::text AS line,
           ARRAY[${key.map((column) => `${column}::text`).join(', ')}] AS key
    FROM ${name} WHERE (${where ?? 'user_id = $1::uuid'}) ${after} ORDER BY ${key.join(', ')} LIMIT ${PAGE}`;
}
