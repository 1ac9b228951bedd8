import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseAst } from 'vite';
import { expect, it } from 'vitest';

const sources = fileURLToPath(new URL('../src/', import.meta.url));
/** What readers see or hear of an element. */
const SHOWN = new Set([
  'aria-label',
  'title',
  'placeholder',
  'alt',
  'label',
  'hint',
  'subtitle',
  'description',
  'text',
]);
/** Names, which are the same in every language, and the message of an app whose catalogs could not be loaded. */
const ALLOWED = /^(?:Pro|Casewatch|[A-Z]{3}\d{10})$/;
const WITHOUT_CATALOG = 'app/main.tsx';

it('no text of the app stands outside the catalogs', () => {
  const files = globSync('**/*.tsx', { cwd: sources }).filter(
    (file) => !/^features\/(?:admin|styleguide)\//.test(file),
  );
  expect(files.length).toBeGreaterThan(100);
  const found = files
    .filter((file) => file !== WITHOUT_CATALOG)
    .flatMap((file) => textsIn(readFileSync(sources + file, 'utf8'), file).map((text) => `${file}: ${text}`));
  expect(found, 'put them into <Trans> or t`…`').toEqual([]);
});

it('finds texts between tags, in attributes and in objects, and not those in macros', () => {
  const code = `const a = <p title="One text">Two <Trans>is translated</Trans> {t\`so is this\`}</p>;
    toast({ title: 'Three texts', variant: 'info' });`;
  expect(textsIn(code, 'a.tsx')).toEqual(['One text', 'Two', 'Three texts']);
});

/** Of the specification, which writes it so. */
const SPECIFIED = "couldn't activate your Pro tier";

it.each([
  ['the web app', '../src/', /\.tsx?$/],
  [
    'the contracts',
    '../../packages/contracts/src/',
    /(?:-texts|form-titles|lookup-outcomes|status-guide\/.*)\.ts$/,
  ],
  ['the e-mails', '../../services/notifications/src/', /^mail\/(?:account-letters|letter|compose-.*)\.ts$/],
])('an apostrophe is written as ’ in the texts of %s', (_name, folder, isRead) => {
  const root = fileURLToPath(new URL(folder, import.meta.url));
  const files = globSync('**/*.{ts,tsx}', { cwd: root }).filter(
    (file) => isRead.test(file) && !file.endsWith('.test.ts'),
  );
  expect(files).not.toEqual([]);
  const found = files.flatMap((file) =>
    stringsIn(readFileSync(root + file, 'utf8'), file)
      .filter((text) => /\p{L}'\p{L}/u.test(text) && !text.includes(SPECIFIED))
      .map((text) => `${file}: ${text}`),
  );
  expect(found).toEqual([]);
});

function stringsIn(code: string, file: string): string[] {
  const found: string[] = [];
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(visit);
    if (!isNode(value)) return;
    if (value.type === 'TemplateElement') found.push(code.slice(Number(value.start), Number(value.end)));
    else if (typeof value.value === 'string') found.push(value.value);
    Object.values(value).forEach(visit);
  };
  visit(parseAst(code, { lang: file.endsWith('x') ? 'tsx' : 'ts' }, file));
  return found;
}

interface Node {
  readonly type: string;
  readonly [key: string]: unknown;
}

function textsIn(code: string, file: string): string[] {
  const found: string[] = [];
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(visit);
    if (!isNode(value) || nameOf(value) === 'Trans' || nameOf(value) === 'Plural') return;
    const text = shownText(value);
    if (text !== undefined && /\p{L}{2}/u.test(text) && !ALLOWED.test(text)) found.push(text);
    Object.values(value).forEach(visit);
  };
  visit(parseAst(code, { lang: 'tsx' }, file));
  return found;
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';

function shownText({ type, value, name, key }: Node): string | undefined {
  if (type === 'JSXText') return String(value).trim();
  const property = type === 'JSXAttribute' ? name : type === 'Property' ? key : undefined;
  if (!isNode(property) || !SHOWN.has(String(property.name)) || !isNode(value)) return undefined;
  return typeof value.value === 'string' ? value.value : undefined;
}

/** Of an element's tag. */
function nameOf({ openingElement }: Node): unknown {
  return isNode(openingElement) && isNode(openingElement.name) ? openingElement.name.name : undefined;
}
