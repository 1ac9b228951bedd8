import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { filesOfVersion, packagedPage, planRelease, type ReleaseState } from './release-plan.ts';

const changelog = `# Changelog

## [Unreleased]

### Added

- A door.

## [0.1.0] - 2026-01-01

- A house.
`;
const ready: ReleaseState = {
  version: '0.10.0',
  packageVersion: '0.1.0',
  tags: ['v0.9.3', 'v0.2.0', 'before-the-move'],
  status: '',
  changelog,
};
const problemsOf = (state: Partial<ReleaseState>) => {
  try {
    planRelease({ ...ready, ...state });
    return [];
  } catch (error) {
    return String(error instanceof Error ? error.message : error).split('\n');
  }
};

test('a release says what has changed since the last one', () => {
  expect(planRelease(ready).notes).toBe('### Added\n\n- A door.');
});

test.each([
  ['0.9.3', '0.9.3 is not above 0.9.3, the last version.'],
  ['0.9.2', '0.9.2 is not above 0.9.3, the last version.'],
  ['1.0', '1.0 is no version: three numbers with dots between, such as 1.4.0.'],
  ['v1.0.0', 'v1.0.0 is no version: three numbers with dots between, such as 1.4.0.'],
])('%s is refused after 0.9.3', (version, problem) => {
  expect(problemsOf({ version })).toEqual([problem]);
});

test('the first release is what package.json says, or above', () => {
  expect(problemsOf({ version: '0.1.0', tags: [] })).toEqual([]);
  expect(problemsOf({ version: '0.0.9', tags: [] })).toEqual(['0.0.9 is below 0.1.0 of package.json.']);
});

test('changes that are not committed and an empty changelog section are refused, both at once', () => {
  const empty = changelog.replace('- A door.', '');
  expect(problemsOf({ status: ' M README.md\n?? x\n', changelog: empty })).toEqual([
    'The tree has changes that are not committed, 2 in all: M README.md …',
    'CHANGELOG.md says nothing under [Unreleased].',
  ]);
});

test('the version then stands in every file that names it', () => {
  const read = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
  const files = filesOfVersion('9.8.7', '2026-03-01', read);
  const lines = (file: string) =>
    files
      .get(file)
      ?.split('\n')
      .filter((line) => line.includes('9.8.7'))
      .map((line) => line.trim());
  expect(lines('CHANGELOG.md')).toEqual(['## [9.8.7] - 2026-03-01']);
  expect(files.get('CHANGELOG.md')).toContain('## [Unreleased]\n\n## [9.8.7]');
  expect(lines('package.json')).toEqual(['"version": "9.8.7",']);
  expect(lines('package-lock.json')).toEqual(['"version": "9.8.7",', '"version": "9.8.7",']);
  expect(lines('Dockerfile')).toEqual(['ARG VERSION=9.8.7']);
  expect(lines('charts/casewatch/Chart.yaml')).toEqual([
    'version: 9.8.7',
    'appVersion: "9.8.7"',
    'image: casewatch:9.8.7',
  ]);
});

test.each(['README.md', 'UPGRADING.md'])('the packaged chart holds what its %s links to', (page) => {
  const chart = new URL('../../charts/casewatch/', import.meta.url).pathname;
  const ignored = readFileSync(path.join(chart, '.helmignore'), 'utf8').split('\n');
  const text = packagedPage(readFileSync(path.join(chart, page), 'utf8'));
  const links = [...text.matchAll(/\]\((?!https:|#)([^)#]+)[^)]*\)/g)].map(([, target = '']) => target);
  for (const target of links) {
    expect(target).not.toMatch(/^\.\./);
    expect(existsSync(path.join(chart, target)), target).toBe(true);
    expect(ignored).not.toContain(target);
  }
  expect(text).toContain('`CHANGELOG.md`');
});
