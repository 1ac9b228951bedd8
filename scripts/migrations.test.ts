import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

/**
 * What a migration may not do to a table that is full and in use, while pods of the version before keep using it: from 0.1.0 on, when
 * every later change is a file of its own.
 */

const root = fileURLToPath(new URL('..', import.meta.url));

const VOLATILE = /\b(gen_random_uuid|uuidv[47]|random|clock_timestamp|nextval|timeofday)\s*\(/i;

/** Returns what is wrong with the file's way up. Statements about tables that the file itself makes are all fine. */
function problemsOf(sql: string): string[] {
  const [up = ''] = sql.split(/^-- Down Migration$/m);
  const alone = /^-- Without transaction$/m.test(up);
  const statements = statementsOf(up);
  const made = new Set(
    statements.flatMap(
      (text) => /^CREATE (?:UNLOGGED )?TABLE (?:IF NOT EXISTS )?(\w+)/i.exec(text)?.[1] ?? [],
    ),
  );
  const problems = statements.flatMap((text) => {
    const found: string[] = [];
    const table = tableOf(text);
    if (/\bCONCURRENTLY\b/i.test(text) && !alone) found.push('needs "-- Without transaction"');
    if (/^(DROP TABLE|TRUNCATE)\b/i.test(text)) found.push('removes what the version before uses');
    if (table === undefined || made.has(table)) return found;
    if (/^CREATE (UNIQUE )?INDEX (?!.*\bCONCURRENTLY\b)(?!.*\bON ONLY\b)/i.test(text))
      found.push('builds an index while writes wait');
    if (/^(UPDATE|DELETE)\b/i.test(text)) found.push('changes every row in one statement');
    if (!/^ALTER TABLE\b/i.test(text)) return found;
    for (const action of actionsOf(text)) {
      if (/^ALTER (COLUMN )?\w+ (SET DATA )?TYPE\b/i.test(action)) found.push('writes the table anew');
      if (/^ADD (COLUMN )?\w+ .*(\bGENERATED\b|\b(big|small)?serial\b)/i.test(action))
        found.push('writes the table anew');
      if (/^ADD (COLUMN )?.*\bDEFAULT\b/i.test(action) && VOLATILE.test(action))
        found.push('writes the table anew');
      if (/^ALTER (COLUMN )?\w+ SET NOT NULL\b/i.test(action))
        found.push('checks all rows while writes wait');
      if (
        /^ADD .*\b(CHECK|FOREIGN KEY|REFERENCES)\b/i.test(action) &&
        !/\bNOT VALID\b/i.test(action) &&
        !isOfNewColumn(action)
      )
        found.push('checks all rows while writes wait');
      if (/^ADD .*\b(UNIQUE|PRIMARY KEY)\b/i.test(action) && !/\bUSING INDEX\b/i.test(action))
        found.push('builds an index while writes wait');
      if (/^(DROP (?!CONSTRAINT|NOT NULL|DEFAULT)|RENAME\b)/i.test(action))
        found.push('removes what the version before uses');
    }
    return found;
  });
  return [...new Set(problems)];
}

/** A new column is the same in all rows: its own check is one of the default. */
const isOfNewColumn = (action: string) => /^ADD COLUMN\b/i.test(action) && !/\bREFERENCES\b/i.test(action);

function tableOf(text: string): string | undefined {
  return /^(?:ALTER TABLE (?:IF EXISTS )?(?:ONLY )?|UPDATE (?:ONLY )?|DELETE FROM (?:ONLY )?|CREATE (?:UNIQUE )?INDEX .*?\bON (?:ONLY )?)(\w+)/i.exec(
    text,
  )?.[1];
}

/** The statements without comments, each in one line; the bodies of functions are not looked into. */
function statementsOf(sql: string): string[] {
  return sql
    .replaceAll(/\$\$[\s\S]*?\$\$/g, "''")
    .replaceAll(/--.*$/gm, '')
    .split(';')
    .map((text) => text.replaceAll(/\s+/g, ' ').trim())
    .filter((text) => text !== '');
}

/** `ALTER TABLE t ADD COLUMN a integer CHECK (a IN (1, 2)), DROP COLUMN b` has two. */
function actionsOf(alter: string): string[] {
  const actions: string[] = [''];
  let depth = 0;
  for (const letter of alter.replace(/^ALTER TABLE (?:IF EXISTS )?(?:ONLY )?\w+ /i, '')) {
    if (letter === '(') depth++;
    if (letter === ')') depth--;
    if (letter === ',' && depth === 0) actions.push('');
    else actions[actions.length - 1] += letter;
  }
  return actions.map((action) => action.trim());
}

const files = globSync(['services/*/migrations/*.sql', 'packages/messaging/migrations/*.sql'], {
  cwd: root,
}).sort();

test('no migration has writers wait for a full table or breaks the version before', () => {
  const found = files.flatMap((file) => {
    const [, part = ''] = file.split(path.sep);
    return problemsOf(readFileSync(path.join(root, file), 'utf8')).map(
      (problem) => `${part}/${path.basename(file, '.sql')}: ${problem}`,
    );
  });
  expect(files.length).toBeGreaterThan(7);
  expect(found).toEqual([]);
});

describe('is refused', () => {
  test.each([
    ['CREATE INDEX i ON t (a);', 'builds an index while writes wait'],
    ['CREATE UNIQUE INDEX i\n  ON t (a) WHERE a > 0;', 'builds an index while writes wait'],
    ['CREATE INDEX CONCURRENTLY i ON t (a);', 'needs "-- Without transaction"'],
    ['ALTER TABLE t ADD COLUMN a uuid DEFAULT gen_random_uuid();', 'writes the table anew'],
    ['ALTER TABLE t\n  ADD COLUMN a integer,\n  ADD COLUMN b bigserial;', 'writes the table anew'],
    ['ALTER TABLE t ALTER COLUMN a TYPE bigint;', 'writes the table anew'],
    ['ALTER TABLE t ALTER COLUMN a SET NOT NULL;', 'checks all rows while writes wait'],
    ['ALTER TABLE t ADD CONSTRAINT c CHECK (a > 0);', 'checks all rows while writes wait'],
    ['ALTER TABLE t ADD COLUMN a uuid REFERENCES other (id);', 'checks all rows while writes wait'],
    ['ALTER TABLE t ADD CONSTRAINT c UNIQUE (a);', 'builds an index while writes wait'],
    ['ALTER TABLE t DROP COLUMN a;', 'removes what the version before uses'],
    ['ALTER TABLE t RENAME COLUMN a TO b;', 'removes what the version before uses'],
    ['DROP TABLE t;', 'removes what the version before uses'],
    ['UPDATE t SET a = 1;', 'changes every row in one statement'],
  ])('%s', (sql, problem) => {
    expect(problemsOf(`-- Up Migration\n${sql}\n`)).toEqual([problem]);
  });
});

describe('is accepted', () => {
  test.each([
    'CREATE TABLE t (a integer);\nCREATE INDEX i ON t (a);\nALTER TABLE t ADD CHECK (a > 0);',
    '-- Without transaction\nCREATE INDEX CONCURRENTLY i ON t (a);',
    "ALTER TABLE t ADD COLUMN a text NOT NULL DEFAULT 'x' CHECK (a IN ('x', 'y'));",
    'ALTER TABLE t ADD COLUMN at timestamptz DEFAULT now();',
    'ALTER TABLE t ADD CONSTRAINT c CHECK (a > 0) NOT VALID;\nALTER TABLE t ALTER COLUMN b DROP NOT NULL;',
    'ALTER TABLE t ADD CONSTRAINT c UNIQUE USING INDEX i;\nALTER TABLE t DROP CONSTRAINT d;',
    'CREATE FUNCTION f() RETURNS void LANGUAGE sql AS $$ UPDATE t SET a = 1; $$;\n-- DROP TABLE t;',
    'CREATE INDEX i ON ONLY t (a);\n-- Down Migration\nDROP TABLE t;',
  ])('%s', (sql) => {
    expect(problemsOf(sql)).toEqual([]);
  });
});
