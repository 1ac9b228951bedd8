import { fileURLToPath } from 'node:url';
import type { SettingMeta, SettingsShape } from '@casewatch/service-kit/settings/settings';
import type { z } from 'zod';
import { settingsGroups } from '../host/src/all-settings.ts';
import { writeGeneratedPages } from './generated-pages.ts';

/** `docs/settings.md`: every setting, its default and what it does, from the schemas that parse it. */
export async function settingsPage(): Promise<string> {
  const sections = (await settingsGroups()).map(({ owner, shape }) => `## ${owner}\n\n${table(shape)}`);
  return [
    '# Settings',
    '',
    'Made from the schemas that read them (`npm run docs`). Set them in the environment or in a file `.env` beside',
    '`package.json`; the environment wins. A wrong value stops the start and every fault is listed at once.',
    '',
    sections.join('\n\n'),
    '',
  ].join('\n');
}

function table(shape: SettingsShape): string {
  const rows = Object.entries(shape)
    .sort(([a], [b]) => a.localeCompare(b))
    .map(([name, schema]) => {
      const { description, secret } = metaOf(name, schema);
      return `| \`${name}\` | ${defaultOf(schema)} | ${description.replaceAll('|', '\\|')}${secret ? ' Secret.' : ''} |`;
    });
  return ['| setting | default | what it does |', '|---|---|---|', ...rows].join('\n');
}

function metaOf(name: string, schema: z.ZodType): SettingMeta {
  const { description, secret } = (schema.meta() ?? {}) as Partial<SettingMeta>;
  if (!description) throw new Error(`the setting ${name} has no description`);
  return { description, ...(secret ? { secret } : {}) };
}

function defaultOf(schema: z.ZodType): string {
  const parsed = schema.safeParse(undefined);
  if (!parsed.success) return 'required';
  return parsed.data === undefined || parsed.data === '' ? 'unset' : `\`${String(parsed.data)}\``;
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  writeGeneratedPages({ 'docs/settings.md': await settingsPage() });
