import { fileURLToPath } from 'node:url';
import type { SettingMeta, SettingsShape } from '@casewatch/service-kit/settings/settings';
import { z } from 'zod';
import { settingsGroups } from '../host/src/all-settings.ts';
import { writeGeneratedPages } from './generated-pages.ts';

/** Returns `docs/settings.md`: every setting, its default, what is allowed and what it does, from the schemas that parse it. */
export async function settingsPage(): Promise<string> {
  const sections = (await settingsGroups()).map(({ owner, shape }) => `## ${owner}\n\n${table(shape)}`);
  return [
    '# Settings',
    '',
    'Made from the schemas that read them (`npm run docs`). Set them in the environment or in a file `.env` next to',
    '`package.json`; the environment wins. A wrong value stops the start and all problems are listed at once.',
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
      return `| \`${name}\` | ${defaultOf(schema)} | ${allowedBy(schema)} | ${description.replaceAll('|', '\\|')}${secret ? ' Secret.' : ''} |`;
    });
  return ['| setting | default | allowed | what it does |', '|---|---|---|---|', ...rows].join('\n');
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

/** The range of a number or the words of a choice; empty for any other text, which its description is about. */
function allowedBy(schema: z.ZodType): string {
  const json = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  const { minimum, exclusiveMinimum, maximum = Number.MAX_SAFE_INTEGER } = json;
  if (exclusiveMinimum !== undefined) return `above ${exclusiveMinimum}`;
  if (minimum !== undefined) {
    return maximum === Number.MAX_SAFE_INTEGER ? `${minimum} or more` : `${minimum} to ${maximum}`;
  }
  return (json.enum ?? []).map((word) => `\`${String(word)}\``).join(', ');
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  writeGeneratedPages({ 'docs/settings.md': await settingsPage() });
