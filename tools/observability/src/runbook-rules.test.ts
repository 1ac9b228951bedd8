import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { commandsOf, GUIDES, RUNBOOKS } from './page-commands.ts';

/** What a tired person pastes from a runbook must do what it says, whatever release it meets. */

const shellOf = (page: string) => commandsOf(page).filter(({ language }) => language === 'sh');

it.each(RUNBOOKS)('%s begins with its three variables, and says where the rest is', (page) => {
  const text = readFileSync(new URL(`../../../docs/${page}`, import.meta.url), 'utf8');
  expect(text).toMatch(
    /^# .+\n\n```sh\nexport NAMESPACE=\S+ RELEASE=\S+ ROLE=\S+ # .*docs\/on-call\.md\n```\n/,
  );
});

it.each(RUNBOOKS)('%s has a command for the logs of its role', (page) => {
  expect(
    shellOf(page).filter(({ text }) => /kubectl [^\n]*\blogs -l [^\n]*component=\$ROLE/.test(text)),
  ).not.toEqual([]);
});

it.each(RUNBOOKS)('%s uses no variable that nothing sets', (page) => {
  for (const { text } of shellOf(page)) {
    for (const [, name = ''] of text.matchAll(/\$\{?([A-Z_]+)/g))
      expect(['NAMESPACE', 'RELEASE', 'ROLE', 'REQUEST_ID', 'EVENT_ID'], text).toContain(name);
  }
});

it.each([...RUNBOOKS, ...GUIDES])(
  '%s takes no values of an older chart, and goes back to no fixed revision',
  (page) => {
    for (const { text } of shellOf(page)) {
      // With --reuse-values a template finds no value that a newer chart has added.
      expect(text).not.toMatch(/--reuse-values/);
      expect(text).not.toMatch(/helm rollback \S+ \d/);
    }
  },
);

it.each(RUNBOOKS)('%s says what to do with GitOps where Helm changes something', (page) => {
  const text = readFileSync(new URL(`../../../docs/${page}`, import.meta.url), 'utf8').replace(
    /^.*docs\/on-call\.md$/m,
    '',
  );
  if (/^ *helm (?:upgrade|rollback) /m.test(text)) expect(text).toContain('ith GitOps');
});
