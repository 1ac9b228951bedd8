import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { LANGUAGES, type Language } from '@casewatch/contracts/languages';
import { POLICY_NAMES, type PolicyName, policyPage } from '@casewatch/contracts/server-paths';
import { SettingsError } from '@casewatch/service-kit/settings/settings';
import MarkdownIt from 'markdown-it';
import type { GatewaySettings } from '../config.ts';
import { pageFile } from './page-language.ts';
import { compressed, editPages, type WebFile, type WebFiles } from './web-files.ts';

/** HTML in the texts stays text, and links lead to web and mail addresses only: what an operator mounts runs no script. */
const markdown = new MarkdownIt({ html: false, linkify: false, typographer: false });

const PLACEHOLDER = /\{\{\s*([^{}]*?)\s*\}\}/g;
const MARKDOWN_FILE = /^\/policies\/.*\.md$/;

const SAMPLES: Readonly<Record<string, Record<Language, string>>> = {
  OPERATOR_NAME: { en: '[sample: the organization]', es: '[ejemplo: la organización]' },
  OPERATOR_ADDRESS: { en: '[sample: its postal address]', es: '[ejemplo: su dirección postal]' },
  OPERATOR_JURISDICTION: { en: '[sample: its state or country]', es: '[ejemplo: su estado o país]' },
  OPERATOR_EMAIL: { en: 'sample@casewatch.example', es: 'ejemplo@casewatch.example' },
  POLICIES_DATE: { en: '[sample: date]', es: '[ejemplo: fecha]' },
};

const SAMPLE_NOTICE: Record<Language, string> = {
  en: 'This page is a sample: whoever runs this installation has not filled it in.',
  es: 'Esta página es un ejemplo: quien opera esta instalación no la ha completado.',
};

const VERSION: Record<Language, string> = { en: 'In effect since', es: 'En vigor desde' };

type PolicySettings = Pick<
  GatewaySettings,
  | 'OPERATOR_NAME'
  | 'OPERATOR_ADDRESS'
  | 'OPERATOR_JURISDICTION'
  | 'OPERATOR_EMAIL'
  | 'POLICIES_DATE'
  | 'POLICY_PAGES_DIR'
  | 'POLICY_PAGES_ELSEWHERE'
  | 'NOTIFICATION_MONTHS'
  | 'LOG_PAYLOAD_DAYS'
  | 'LOG_ROW_MONTHS'
  | 'SESSION_MAX_DAYS'
>;

/**
 * Puts the policy pages among the files of the web app: the operator's Markdown, else the built-in one, in the frame that the web
 * build made for them. Pages that are elsewhere are left out.
 * @throws SettingsError where a file of the operator is of no page or names a placeholder that there is not, or its folder can't be read
 */
export function withPolicyPages(files: WebFiles, settings: PolicySettings): WebFiles {
  const { POLICY_PAGES_DIR: folder, POLICY_PAGES_ELSEWHERE: elsewhere = {} } = settings;
  const all = new Map([...files].filter(([url]) => !MARKDOWN_FILE.test(url)));
  const problems = folder ? folderProblems(folder) : [];
  for (const name of POLICY_NAMES.filter((each) => elsewhere[each] === undefined)) {
    for (const language of LANGUAGES) {
      const frame = files.get(pageFile('policy', language));
      const own = folder ? ownFile(folder, name, language) : undefined;
      const text = own ? ownText(own.file) : builtIn(files, name, language);
      if (!frame || text === undefined) continue;
      const written = own ? own.language : language;
      const filled = fill(text, written, settings);
      for (const one of filled.unknown) {
        problems.push(
          `POLICY_PAGES_DIR: ${path.basename(own?.file ?? '')} has {{${one}}}, which is no placeholder`,
        );
      }
      all.set(pageFile(name, language), framed(frame, filled, written === language ? undefined : written));
    }
  }
  if (problems.length > 0) throw new SettingsError([...new Set(problems)]);
  for (const language of LANGUAGES) all.delete(pageFile('policy', language));
  const { POLICIES_DATE: date } = settings;
  // The app sends it with a sign-up: what was agreed to is what this page leads to.
  return date
    ? editPages(all, (page) => page.replace(/<html\b/i, `<html data-policies-version="${date}"`))
    : all;
}

/** Returns where the pages are that this installation does not show itself, by their paths here. */
export function pagesElsewhere({ POLICY_PAGES_ELSEWHERE = {} }: PolicySettings): ReadonlyMap<string, string> {
  return new Map(
    POLICY_NAMES.flatMap((name) => {
      const url = POLICY_PAGES_ELSEWHERE[name];
      return url === undefined ? [] : [[policyPage(name), url] as const];
    }),
  );
}

const fileOf = (name: PolicyName, language: Language) =>
  language === 'en' ? `${name}.md` : `${name}.${language}.md`;

/** A page of the operator in one language alone is shown in that language to all: never another text than theirs. */
function ownFile(folder: string, name: PolicyName, language: Language) {
  return [language, ...LANGUAGES]
    .map((each) => ({ language: each, file: path.join(folder, fileOf(name, each)) }))
    .find(({ file }) => existsSync(file));
}

/** Editors on Windows put a byte order mark before the text. */
const ownText = (file: string) => readFileSync(file, 'utf8').replace(/^\uFEFF/, '');

/** A page under another name would stay unread, and the built-in one be shown in its place. */
function folderProblems(folder: string): string[] {
  const known = new Set(POLICY_NAMES.flatMap((name) => LANGUAGES.map((language) => fileOf(name, language))));
  return markdownIn(folder)
    .filter((file) => !known.has(file))
    .map((file) => `POLICY_PAGES_DIR: ${file} is of no page: the names are ${[...known].join(', ')}`);
}

function markdownIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((file) => /\.(?:md|markdown)$/i.test(file));
  } catch {
    throw new SettingsError([`POLICY_PAGES_DIR: there is no folder ${folder}`]);
  }
}

const builtIn = (files: WebFiles, name: PolicyName, language: Language) =>
  files.get(`/policies/${fileOf(name, language)}`)?.plain.content.toString();

function fill(
  source: string,
  language: Language,
  settings: PolicySettings,
): { text: string; version: string; unknown: string[] } {
  const unknown: string[] = [];
  let isSample = settings.POLICIES_DATE === undefined;
  const textFor = (name: string) => {
    const value = Object.hasOwn(settings, name) ? settings[name as keyof PolicySettings] : undefined;
    if (typeof value === 'string' || typeof value === 'number') return escapeMarkdown(String(value));
    const sample = SAMPLES[name]?.[language];
    if (sample === undefined) unknown.push(name);
    isSample = true;
    return escapeMarkdown(sample ?? '');
  };
  const text = source.replace(PLACEHOLDER, (_all, name: string) => textFor(name));
  const version = `*${VERSION[language]}: ${textFor('POLICIES_DATE')}*`;
  const notice = isSample ? `\n\n> **${SAMPLE_NOTICE[language]}**` : '';
  return { text, version: version + notice, unknown };
}

const escapeMarkdown = (text: string) => text.replace(/[!-/:-@[-`{-~]/g, String.raw`\$&`);

/** The version stands below the heading, or above a text without one. `other`: the language of the text, where it is not the frame's. */
function framed(
  frame: WebFile,
  { text, version }: { text: string; version: string },
  other: Language | undefined,
): WebFile {
  const html = markdown.render(text);
  const heading = /<h1>(.*?)<\/h1>\n/.exec(html);
  const at = heading ? heading.index + heading[0].length : 0;
  const article = html.slice(0, at) + markdown.render(version) + html.slice(at);
  const title = heading?.[1]?.replace(/<[^>]*>/g, '');
  const attribute = other ? ` lang="${other}"` : '';
  const page = String(frame.plain.content)
    .replace(/(?<=<title>).*?(?=<\/title>)/, (site) => (title ? `${title} ${site}` : site.replace('| ', '')))
    .replace(/(?<=<article[^>]*)>(?=<\/article>)/, () => `${attribute}>${article}`);
  return compressed(frame.type, page);
}
