import path from 'node:path';
/** Decides whether a version may be released, from texts alone. */

export interface ReleaseState {
  version: string;
  /** `version` of package.json: the last release, or what the first one is to be. */
  packageVersion: string;
  /** Names of all tags. */
  tags: readonly string[];
  /** What `git status --porcelain` says. */
  status: string;
  changelog: string;
}

/** What keeps a release from being made; its message lists all of it. */
export class ReleaseRefused extends Error {}

const HEADING = '## [Unreleased]';

/** Returns what the release says has changed. @throws ReleaseRefused with everything that is wrong */
export function planRelease(state: ReleaseState): { notes: string } {
  const { version, packageVersion, tags, status, changelog } = state;
  const problems: string[] = [];
  const wanted = numbersOf(version);
  const tagged = tags.flatMap((tag) => (/^v\d/.test(tag) ? [tag.slice(1)] : []));
  const last = tagged
    .filter((each) => numbersOf(each))
    .reduce((high, each) => (isAbove(each, high) ? each : high), '0.0.0');
  if (!wanted) problems.push(`${version} is no version: three numbers with dots between, such as 1.4.0.`);
  else if (!isAbove(version, last)) problems.push(`${version} is not above ${last}, the last version.`);
  else if (isAbove(packageVersion, version))
    problems.push(`${version} is below ${packageVersion} of package.json.`);
  if (status.trim()) {
    const files = status.trim().split('\n');
    problems.push(
      `The tree has changes that are not committed, ${files.length} in all: ${files[0]?.trim()} …`,
    );
  }
  const notes = unreleasedOf(changelog);
  if (!/^- /m.test(notes)) problems.push('CHANGELOG.md says nothing under [Unreleased].');
  if (problems.length > 0) throw new ReleaseRefused(problems.join('\n'));
  return { notes };
}

/** The section of what is not released yet, without its heading. */
function unreleasedOf(changelog: string): string {
  const start = changelog.indexOf(`\n${HEADING}`);
  if (start < 0) return '';
  const rest = changelog.slice(start + HEADING.length + 1);
  const end = rest.indexOf('\n## ');
  return (end < 0 ? rest : rest.slice(0, end)).trim();
}

/** Returns what names the version, once it is released: path to text. `read` returns a file's text. */
export function filesOfVersion(
  version: string,
  day: string,
  read: (file: string) => string,
): ReadonlyMap<string, string> {
  const own = /("name": "casewatch",\s*"version": )"[^"]+"/g;
  const edits: readonly [string, RegExp, string][] = [
    ['CHANGELOG.md', /^## \[Unreleased\]$/m, `${HEADING}\n\n## [${version}] - ${day}`],
    ['charts/casewatch/UPGRADING.md', /^## Unreleased$/m, `## ${version}`],
    ['package.json', own, `$1"${version}"`],
    ['package-lock.json', own, `$1"${version}"`],
    ['Dockerfile', /^ARG VERSION=.*$/m, `ARG VERSION=${version}`],
  ];
  const files = new Map(edits.map(([file, from, to]) => [file, read(file).replace(from, to)]));
  files.set('charts/casewatch/Chart.yaml', chartOf(version, read('charts/casewatch/Chart.yaml')));
  return files;
}

/** Returns the chart's own description with another version. */
export function chartOf(version: string, text: string): string {
  return text
    .replace(/^version: .*$/m, `version: ${version}`)
    .replace(/^appVersion: .*$/m, `appVersion: "${version}"`)
    .replace(/^(\s+image: casewatch):.*$/m, `$1:${version}`);
}

/** Returns a page of the chart for its package, which holds no other files: links out of the chart become names of files of the source. */
export function packagedPage(text: string): string {
  return text.replace(/\[([^\]]*)\]\((?:\.\.\/)+([^)#]+)[^)]*\)/g, (_, said: string, file: string) =>
    said === path.basename(file) || said === file ? `\`${file}\`` : `${said} (\`${file}\`)`,
  );
}

export function isAbove(one: string, other: string): boolean {
  const [a, b] = [numbersOf(one), numbersOf(other)];
  if (!a || !b) return false;
  const at = a.findIndex((number, index) => number !== b[index]);
  return at >= 0 && (a[at] ?? 0) > (b[at] ?? 0);
}

function numbersOf(version: string): number[] | undefined {
  if (!/^(?:0|[1-9]\d*)(?:\.(?:0|[1-9]\d*)){2}$/.test(version)) return undefined;
  return version.split('.').map(Number);
}
