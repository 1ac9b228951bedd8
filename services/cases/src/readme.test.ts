import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const SOURCES = import.meta.dirname;
/** Where the walk begins: the use cases of the two routes, and what carries them out. */
const ENTRANCES = [
  ...['domain/look-up-cases.ts', 'domain/look-up-case.ts', 'domain/check-cases.ts', 'domain/ask-agency.ts'],
  ...['domain/lookup-log.ts', 'caller/start-caller.ts', 'caller/agency-calls.ts', 'data/agency-queue.ts'],
  ...['data/pg-case-store.ts', 'data/pg-quota-ledger.ts', 'domain/demonstrate.ts'],
];
const IMPORTED = /from '(\.[^']+)'/g;

/** These files and all of this service that they import, as paths below `src/`. */
function filesFrom(entrances: readonly string[], known = new Set<string>()): Set<string> {
  for (const file of entrances) {
    if (known.has(file)) continue;
    known.add(file);
    const text = readFileSync(path.join(SOURCES, file), 'utf8');
    const imported = [...text.matchAll(IMPORTED)].map(([, place = '']) =>
      path.join(path.dirname(file), place),
    );
    filesFrom(imported, known);
  }
  return known;
}

/** The files that the table of the README names, where a name without a folder is in that of the name before it. */
function filesOfTheTable(): string[] {
  const readme = readFileSync(path.join(SOURCES, '..', 'README.md'), 'utf8');
  const rows = readme.split('\n').filter((line) => line.startsWith('| '));
  const first = rows.findIndex((row) => row.startsWith('| step |'));
  const last = rows.findIndex((row) => row.startsWith('| the request log |'));
  return rows.slice(first + 1, last + 1).flatMap((row) => {
    let folder = '';
    const [, , , files = ''] = row.split('|');
    return [...files.matchAll(/`([^`]+)`/g)].map(([, name = '']) => {
      if (name.includes('/')) folder = path.dirname(name);
      return path.join(folder, path.basename(name));
    });
  });
}

test('the README names each file between the route and the agency, once', () => {
  expect(filesOfTheTable().toSorted()).toEqual([...filesFrom(ENTRANCES)].toSorted());
});
