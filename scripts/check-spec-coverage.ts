import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { type KnownTest, type TestReference, testsMeant } from './spec-coverage/known-tests.ts';
import { type CoverageRow, readPage } from './spec-coverage/read-page.ts';
import { readReports } from './spec-coverage/read-reports.ts';
import { readSources } from './spec-coverage/read-sources.ts';
import { linesOf, SECTIONS } from './spec-coverage/sections.ts';

// `node scripts/check-spec-coverage.ts <folder of reports>`: every test that docs/spec-coverage.md names ran and
// passed. `--static` in place of the folder: every one is in the sources. Either way the page is complete.

const root = fileURLToPath(new URL('..', import.meta.url));

/** Lists what is wrong with the page: rows that say no section and line, lines without a row, tests that show nothing. */
export function checkCoverage(
  page: string,
  tests: readonly KnownTest[],
  sections: Readonly<Record<string, string>> = SECTIONS,
): string[] {
  const rows = readPage(page);
  return [
    ...rows.flatMap((row) =>
      [...problemsOfPlace(row, sections), ...problemsOfTests(row, tests)].map(
        (problem) => `line ${row.at}: ${problem}`,
      ),
    ),
    ...uncoveredLines(rows, sections),
  ];
}

/** Sections of ours, such as `+ e-mail`, are not in the specification and have no lines. */
function problemsOfPlace(
  { place, behavior }: CoverageRow,
  sections: Readonly<Record<string, string>>,
): string[] {
  if (behavior === '') return ['the row describes no behavior'];
  if (place.startsWith('+ ')) return [];
  const { section, lines } = parsePlace(place);
  const known = linesOf(sections[section] ?? '');
  if (!known) return [`"${place}" begins with no section of the specification`];
  if (!lines) return [`"${place}" names no line of the specification`];
  return lines
    .filter((line) => !known.includes(line))
    .map((line) => `line ${line} of the specification is not in the section "${section}"`);
}

function parsePlace(place: string): { section: string; lines: number[] | undefined } {
  const comma = place.indexOf(', ');
  return comma === -1
    ? { section: place, lines: undefined }
    : { section: place.slice(0, comma), lines: linesOf(place.slice(comma + 2)) };
}

function problemsOfTests({ tests: references }: CoverageRow, tests: readonly KnownTest[]): string[] {
  if (references.length === 0) return ['the row names no test'];
  return references.flatMap((reference) => problemsOfReference(reference, testsMeant(reference, tests)));
}

function problemsOfReference({ file, name }: TestReference, meant: readonly KnownTest[]): string[] {
  const [first] = meant;
  const test = `"${name}"${file ? ` of ${file}` : ''}`;
  if (!first) return [`there is no test ${test}, or it did not run`];
  const files = [...new Set(meant.map(({ file }) => file))];
  if (files.length > 1) {
    return [`${test} is in ${files.join(' and ')}: put the file's base name before it`];
  }
  // A report lists a test once for each run of it; the sources have it once.
  if (first.outcome === undefined && new Set(meant.map(({ name }) => name)).size < meant.length) {
    return [`${test} is twice in ${files}: give one of them another name`];
  }
  const notPassed = meant.filter(({ outcome }) => outcome === 'failed' || outcome === 'skipped');
  return notPassed
    .slice(0, 1)
    .map(({ name, outcome }) => `"${name}" of ${files} ${outcome === 'failed' ? 'failed' : 'was skipped'}`);
}

function uncoveredLines(rows: readonly CoverageRow[], sections: Readonly<Record<string, string>>): string[] {
  const covered = new Set(
    rows
      .map(({ place }) => parsePlace(place))
      .flatMap(({ section, lines = [] }) => lines.map((line) => `${section}, ${line}`)),
  );
  return Object.entries(sections).flatMap(([section, lines]) =>
    (linesOf(lines) ?? [])
      .map((line) => `${section}, ${line}`)
      .filter((place) => !covered.has(place))
      .map((place) => `no row covers "${place}" of the specification`),
  );
}

function main([where]: readonly string[]): number {
  if (!where) {
    console.error('usage: node scripts/check-spec-coverage.ts <folder of reports> | --static');
    return 2;
  }
  const tests = where === '--static' ? readSources(root) : readReports(where);
  if (tests.length === 0) {
    console.error(`no tests in ${where === '--static' ? root : where}`);
    return 1;
  }
  const page = readFileSync(path.join(root, 'docs/spec-coverage.md'), 'utf8');
  const problems = checkCoverage(page, tests);
  for (const problem of problems) console.error(`docs/spec-coverage.md: ${problem}`);
  if (problems.length === 0)
    console.log(`docs/spec-coverage.md: ${readPage(page).length} rows, each shown by a test`);
  return problems.length > 0 ? 1 : 0;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exitCode = main(process.argv.slice(2));
