import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import {
  type Argument,
  type CallExpression,
  type Expression,
  parseSync,
  type Super,
  Visitor,
} from 'oxc-parser';
import { fullName, type KnownTest } from './known-tests.ts';

/** Suffixes of files that Vitest or Playwright run. */
const TEST_FILES = '**/*.{test,spec,faults,fuzz,charts,cluster,pods,alerts,containers}.{ts,tsx}';
const NOT_OURS = /^(node_modules|dist|generated|test-results|\..+)$/;
/** `test.step('…', run)` and the like declare no test. */
const NO_TEST = /^(step|before|after|use|extend|configure)/;

/** Reads every test that the test files below `root` declare. Nothing is run. */
export function readSources(root: string): KnownTest[] {
  const files = globSync(TEST_FILES, { cwd: root, exclude: (name) => NOT_OURS.test(path.basename(name)) });
  return files.sort().flatMap((file) => declaredTests(file, readFileSync(path.join(root, file), 'utf8')));
}

/** Lists the tests of one file, with the titles of the describe blocks around them. */
export function declaredTests(file: string, source: string): KnownTest[] {
  const { program, module } = parseSync(file, source);
  const aliases = new Map(
    module.staticImports.flatMap(({ entries }) =>
      entries.map(({ importName, localName }) => [localName.value, importName.name ?? ''] as const),
    ),
  );
  const tests: KnownTest[] = [];
  const around: Title[] = [];
  const declared = (call: CallExpression) => declarationOf(call, source, aliases);
  new Visitor({
    CallExpression(call) {
      const found = declared(call);
      if (!found) return;
      if (found.isGroup) around.push(found.title);
      else {
        const titles = [...around, found.title];
        const isTemplate = titles.some((title) => title.isTemplate);
        tests.push({ file, name: fullName(titles.map(({ text }) => text)), isTemplate });
      }
    },
    'CallExpression:exit'(call) {
      if (declared(call)?.isGroup) around.pop();
    },
  }).visit(program);
  return tests;
}

interface Title {
  text: string;
  isTemplate: boolean;
}

/** `test('…', run)`, `it.each(table)('…', run)`, `test.describe('…', run)` and so on; undefined for other calls. */
function declarationOf(
  { callee, arguments: [first, ...rest] }: CallExpression,
  source: string,
  aliases: ReadonlyMap<string, string>,
): { title: Title; isGroup: boolean } | undefined {
  const words = wordsOf(callee);
  const [root = '', ...modifiers] = words;
  const named = aliases.get(root) ?? root;
  const isGroup = named === 'describe' || modifiers.includes('describe');
  if (!first || rest.length === 0 || (!isGroup && named !== 'test' && named !== 'it')) return undefined;
  if (modifiers.some((word) => NO_TEST.test(word))) return undefined;
  const title = titleOf(first, source, modifiers.includes('each') || modifiers.includes('for'));
  return title && { title, isGroup };
}

function titleOf(argument: Argument, source: string, isTable: boolean): Title | undefined {
  if (argument.type === 'Literal' && typeof argument.value === 'string') {
    return { text: argument.value, isTemplate: isTable && /[%$]/.test(argument.value) };
  }
  if (argument.type !== 'TemplateLiteral') return undefined;
  const text = argument.quasis
    .map(({ value }, at) => {
      const inserted = argument.expressions[at];
      return `${value.cooked}${inserted ? `\${${source.slice(inserted.start, inserted.end)}}` : ''}`;
    })
    .join('');
  return { text, isTemplate: argument.expressions.length > 0 || isTable };
}

/** The names of `a.b.c` or `a.b(…)`, from the left; a call in between is passed over. */
function wordsOf(node: Expression | Super): string[] {
  if (node.type === 'Identifier') return [node.name];
  if (node.type === 'CallExpression') return wordsOf(node.callee);
  if (node.type === 'TaggedTemplateExpression') return wordsOf(node.tag);
  if (node.type === 'MemberExpression' && node.property.type === 'Identifier') {
    return [...wordsOf(node.object), node.property.name];
  }
  return [];
}
