import type { TestReference } from './known-tests.ts';

export interface CoverageRow {
  /** Line of the page, from 1. */
  at: number;
  /** The first cell, such as `2 Home page, 41-43`. */
  place: string;
  behavior: string;
  tests: TestReference[];
}

/** Reads the tables of `docs/spec-coverage.md` whose first column is headed `section, line`. */
export function readPage(page: string): CoverageRow[] {
  let inTable = false;
  return page.split('\n').flatMap((line, index) => {
    if (!line.startsWith('|')) inTable = false;
    const [place = '', behavior = '', shownBy = ''] = cellsOf(line);
    if (place === 'section, line') inTable = true;
    if (!inTable || place === 'section, line' || /^-+$/.test(place)) return [];
    return [{ at: index + 1, place, behavior, tests: referencesOf(shownBy) }];
  });
}

function cellsOf(line: string): string[] {
  return line
    .split(/(?<!\\)\|/)
    .slice(1, -1)
    .map((cell) => cell.trim().replaceAll('\\|', '|'));
}

/** Names of tests with `<br>` between; `` `file.test.ts` › `` before one that another file has too. */
function referencesOf(cell: string): TestReference[] {
  return cell
    .split('<br>')
    .map((text) => text.trim())
    .filter((text) => text !== '')
    .map((text) => {
      const [, file, name] = /^`([^`]+)` › (.+)$/.exec(text) ?? [];
      return file && name ? { file, name } : { name: text };
    });
}
