import '../src/features/help/policy-page.scss';
import type { Language } from '@casewatch/contracts/languages';
import { POLICY_NAMES } from '@casewatch/contracts/server-paths';
import MarkdownIt from 'markdown-it';
import { commands } from 'vitest/browser';
import { renderPolicyPage } from '../src/features/help/policy-page.tsx';
import { keepTheme } from '../src/features/theme/theme.ts';
import { expectAccessibleEverywhere } from './accessible.ts';
import { test as base, expect } from './component-test.tsx';

const SLOW_MACHINE_MS = 120_000;

/** Longer than a phone is wide. */
const VALUES: Readonly<Record<string, string>> = {
  OPERATOR_NAME: 'Ausländerangelegenheitenberatungsgesellschaft',
  OPERATOR_EMAIL: 'questions-about-privacy-and-terms@a-rather-long-name.agency.example',
  OPERATOR_ADDRESS: '1 Main Street, Springfield',
  OPERATOR_JURISDICTION: 'Illinois',
};
const NOTICE = '*2026-12-01*\n\n> **This page is a sample.**\n';

/** A page as the server sends it: its text in the frame of the build. */
const test = base.extend<{ open: (name: string, language: Language) => Promise<HTMLElement> }>({
  open: async ({ task: _ }, use) => {
    const root = document.createElement('div');
    await use(async (name, language) => {
      const file = `public/policies/${name}${language === 'en' ? '' : `.${language}`}.md`;
      const text = (await commands.readFile(file))
        .replace(/^# .*\n/, (heading) => `${heading}\n${NOTICE}`)
        .replace(/\{\{(\w+)\}\}/g, (_all, placeholder: string) => VALUES[placeholder] ?? '12');
      root.innerHTML = renderPolicyPage(language).html;
      const article = root.querySelector('article');
      if (article) article.innerHTML = new MarkdownIt({ html: false }).render(text);
      document.body.append(root);
      document.documentElement.lang = language;
      return root;
    });
    root.remove();
    keepTheme('light');
    document.documentElement.lang = 'en';
  },
});

test.for(POLICY_NAMES.flatMap((name) => (['en', 'es'] as const).map((language) => ({ name, language }))))(
  'the page $name in $language is accessible at every width, in both themes, and fits into 320 px',
  { timeout: SLOW_MACHINE_MS },
  async ({ name, language }, { open }) => {
    const root = await open(name, language);
    expect(root.querySelectorAll('article h1')).toHaveLength(1);
    expect(root.querySelectorAll('article p').length).toBeGreaterThan(1);
    await expectAccessibleEverywhere();
  },
);
