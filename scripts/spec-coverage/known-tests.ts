/** A test that the sources declare or that a report lists. */
export interface KnownTest {
  file: string;
  /** Titles of its describe blocks and its own, with a space between: what `vitest -t` and `playwright --grep` match. */
  name: string;
  /** In sources only: the title has parts that are known when it runs. */
  isTemplate: boolean;
  /** In reports only. */
  outcome?: 'passed' | 'failed' | 'skipped';
}

/** What a row of the page says about a test. The file is there only where the name alone has two meanings. */
export interface TestReference {
  file?: string;
  name: string;
}

/** `%s` and `$name` of `test.each`, `${…}` of a template literal. */
const PLACEHOLDER = /\$\{[^}]*\}|%[sdifjoOp#$]|\$[A-Za-z_][\w.]*/g;
/** A template with less of its own than a word would fit any name. */
const WORD_LENGTH = 5;
/** Playwright's tags may stand in a title; they are no part of the name. */
const TAG = / @[\w-]+(?= |$)/g;

export function fullName(titles: readonly string[]): string {
  return titles.join(' ').replaceAll(TAG, '');
}

/**
 * Finds the tests that a reference means. With placeholders: every test whose name they fit. Without: those of exactly
 * that name, else those whose own placeholders fit it.
 */
export function testsMeant({ file, name }: TestReference, tests: readonly KnownTest[]): KnownTest[] {
  const inFile = file === undefined ? tests : tests.filter((test) => `/${test.file}`.endsWith(`/${file}`));
  const wanted = patternOf(name);
  const named = inFile.filter((test) => test.name === name || wanted?.test(test.name));
  return named.length > 0
    ? named
    : inFile.filter((test) => test.isTemplate && patternOf(test.name)?.test(name));
}

/** A pattern in which each placeholder stands for any text; undefined for a name without any, or with little else. */
function patternOf(name: string): RegExp | undefined {
  const parts = name.split(PLACEHOLDER);
  if (parts.length === 1 || parts.join('').replaceAll(/\W/g, '').length < WORD_LENGTH) return undefined;
  const literal = parts.map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&'));
  return new RegExp(`^${literal.join('[^]*')}$`);
}
