import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { checkCoverage } from './check-spec-coverage.ts';
import { readReports } from './spec-coverage/read-reports.ts';
import { declaredTests } from './spec-coverage/read-sources.ts';

const SECTIONS = { '2 Home page': '41, 43-44' };
const page = (...rows: string[]) =>
  ['| section, line | behavior | shown by |', '|---|---|---|', ...rows].join('\n');
const row = (place: string, shownBy: string) => `| ${place} | Says hello | ${shownBy} |`;
const passed = (name: string, file = 'a.test.ts') =>
  ({ file, name, isTemplate: false, outcome: 'passed' }) as const;
const check = (text: string, tests: Parameters<typeof checkCoverage>[1]) =>
  checkCoverage(text, tests, SECTIONS);

describe('a row', () => {
  const all = row('2 Home page, 41, 43-44', 'greets');

  test('is good when its test passed', () => {
    expect(check(page(all), [passed('greets')])).toEqual([]);
  });

  test('fails when its test failed', () => {
    expect(check(page(all), [{ ...passed('greets'), outcome: 'failed' }])).toEqual([
      'line 3: "greets" of a.test.ts failed',
    ]);
  });

  test('fails when its test was skipped', () => {
    expect(check(page(all), [{ ...passed('greets'), outcome: 'skipped' }])).toEqual([
      'line 3: "greets" of a.test.ts was skipped',
    ]);
  });

  test('fails when one of several runs of its test failed', () => {
    const runs = [passed('greets'), { ...passed('greets'), outcome: 'failed' } as const];
    expect(check(page(all), runs)).toEqual(['line 3: "greets" of a.test.ts failed']);
  });

  test('fails when its test did not run, or has another name now', () => {
    for (const tests of [[], [passed('greets people')], [passed('home greets')]]) {
      expect(check(page(all), tests)).toEqual(['line 3: there is no test "greets", or it did not run']);
    }
  });

  test('fails when only one of its two tests passed', () => {
    const both = row('2 Home page, 41, 43-44', 'greets<br>waves');
    expect(check(page(both), [passed('greets')])).toEqual([
      'line 3: there is no test "waves", or it did not run',
    ]);
  });

  test('fails when two files have a test of that name, unless it says which file', () => {
    const tests = [passed('greets'), passed('greets', 'b.test.ts')];
    expect(check(page(all), tests)).toEqual([
      `line 3: "greets" is in a.test.ts and b.test.ts: put the file's base name before it`,
    ]);
    expect(check(page(row('2 Home page, 41, 43-44', '`b.test.ts` › greets')), tests)).toEqual([]);
    expect(check(page(row('2 Home page, 41, 43-44', '`c.test.ts` › greets')), tests)).toHaveLength(1);
  });

  test('fails when the sources have two tests of that name in one file', () => {
    const declared = { file: 'a.test.ts', name: 'greets', isTemplate: false };
    expect(check(page(all), [declared, declared])).toEqual([
      'line 3: "greets" is twice in a.test.ts: give one of them another name',
    ]);
  });

  test('fails without a test, a behavior, a section or a line', () => {
    const rows = [
      all,
      row('2 Home page, 41', ''),
      '| 2 Home page, 41 | | greets |',
      row('2 Landing page, 41', 'greets'),
      row('2 Home page', 'greets'),
      row('2 Home page, somewhere', 'greets'),
      row('2 Home page, 42', 'greets'),
    ];
    expect(check(page(...rows), [passed('greets')])).toEqual([
      'line 4: the row names no test',
      'line 5: the row describes no behavior',
      'line 6: "2 Landing page, 41" begins with no section of the specification',
      'line 7: "2 Home page" names no line of the specification',
      'line 8: "2 Home page, somewhere" names no line of the specification',
      'line 9: line 42 of the specification is not in the section "2 Home page"',
    ]);
  });

  test('beyond the specification needs a test, and no line', () => {
    const beyond = row('+ e-mail', 'mails');
    expect(check(page(all, beyond), [passed('greets')])).toEqual([
      'line 4: there is no test "mails", or it did not run',
    ]);
  });
});

test('a line of the specification without a row is named', () => {
  expect(check(page(row('2 Home page, 41, 44', 'greets')), [passed('greets')])).toEqual([
    'no row covers "2 Home page, 43" of the specification',
  ]);
});

describe('a test with a table', () => {
  test('is named as the sources have it, and then all of its cases must have passed', () => {
    const table = page(row('2 Home page, 41, 43-44', 'greets %s in %s'));
    const cases = [passed('greets Ada in English'), passed('greets Bob in French')];
    expect(check(table, cases)).toEqual([]);
    const [first, second] = cases;
    expect(check(table, [first, { ...second, outcome: 'failed' }] as typeof cases)).toEqual([
      'line 3: "greets Bob in French" of a.test.ts failed',
    ]);
    expect(check(table, [{ file: 'a.test.ts', name: 'greets %s in %s', isTemplate: true }])).toEqual([]);
  });

  test('is named by one of its cases, which the sources have where the template fits', () => {
    const one = page(row('2 Home page, 41, 43-44', 'greets Ada (twice)'));
    expect(check(one, [passed('greets Ada (twice)'), passed('greets Bob (twice)')])).toEqual([]);
    expect(check(one, [passed('greets Bob (twice)')])).toHaveLength(1);
    expect(check(one, [{ file: 'a.test.ts', name: 'greets %s (twice)', isTemplate: true }])).toEqual([]);
    expect(check(one, [{ file: 'a.test.ts', name: 'greets %s (once)', isTemplate: true }])).toHaveLength(1);
  });

  test('whose template says nothing of its own fits no case', () => {
    const one = page(row('2 Home page, 41, 43-44', 'greets Ada'));
    expect(check(one, [{ file: 'a.test.ts', name: '%s', isTemplate: true }])).toHaveLength(1);
  });
});

test('the sources are searched for every way to declare a test, with the blocks around it and without tags', () => {
  const source = `
    import { test as withTrial } from './fixtures.ts';
    describe('the bell', () => {
      it('rings', () => {});
      describe.each(['day', 'night'])('by %s', () => { test('rings still', async () => {}); });
    });
    test.each([[1, 2]])('adds %i and %i', (a, b) => {});
    test.describe('with Playwright', () => {
      test.describe.configure({ mode: 'serial' });
      test.beforeEach('nothing', () => {});
      test('opens @any-theme', { tag: '@main' }, async ({ page }) => { await test.step('a step', () => {}); });
    });
    for (const way of ways) test(\`leaves by \${way.name}\`, () => {});
    withTrial('begins', run);
    /x/.test('no test');
    other('no test', () => {});
  `;
  expect(declaredTests('a.test.ts', source).map(({ name, isTemplate }) => [name, isTemplate])).toEqual([
    ['the bell rings', false],
    ['the bell by %s rings still', true],
    ['adds %i and %i', true],
    ['with Playwright opens', false],
    [expect.stringMatching(/^leaves by \$\{way\.name\}$/), true],
    ['begins', false],
  ]);
});

describe('reports', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'casewatch-reports-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));
  const write = (name: string, report: unknown) =>
    writeFileSync(path.join(folder, name), JSON.stringify(report));

  test('of Vitest hold the outcome of each test', () => {
    const assertionResults = ['passed', 'failed', 'skipped', 'todo'].map((status) => ({
      ancestorTitles: ['the bell'],
      title: status,
      fullName: `the bell ${status}`,
      status,
    }));
    write('unit.json', { numTotalTests: 4, testResults: [{ name: '/x/a.test.ts', assertionResults }] });
    expect(readReports(folder).map(({ file, name, outcome }) => [file, name, outcome])).toEqual([
      ['/x/a.test.ts', 'the bell passed', 'passed'],
      ['/x/a.test.ts', 'the bell failed', 'failed'],
      ['/x/a.test.ts', 'the bell skipped', 'skipped'],
      ['/x/a.test.ts', 'the bell todo', 'skipped'],
    ]);
  });

  test('of Playwright hold the outcome in each project; passing at the second try only is a failure', () => {
    const spec = (title: string, ...statuses: string[]) => ({
      title,
      file: 'bell.spec.ts',
      tests: statuses.map((status) => ({ projectName: 'phone', status, results: [] })),
    });
    write('browser.json', {
      config: {},
      suites: [
        {
          title: 'bell.spec.ts',
          specs: [spec('rings @any-theme', 'expected', 'unexpected')],
          suites: [{ title: 'at night', specs: [spec('rings', 'flaky'), spec('rests', 'skipped')] }],
        },
      ],
    });
    expect(readReports(folder).map(({ file, name, outcome }) => [file, name, outcome])).toEqual([
      ['bell.spec.ts', 'rings', 'passed'],
      ['bell.spec.ts', 'rings', 'failed'],
      ['bell.spec.ts', 'at night rings', 'failed'],
      ['bell.spec.ts', 'at night rests', 'skipped'],
    ]);
  });

  test('of another kind are refused', () => {
    write('other.json', { tests: [] });
    expect(() => readReports(folder)).toThrow('other.json is a report of neither Vitest nor Playwright');
  });
});
