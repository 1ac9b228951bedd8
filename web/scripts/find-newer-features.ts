import type {
  CallExpression,
  Expression,
  Literal,
  NewExpression,
  Node,
  Pattern,
  PrivateIdentifier,
  SpreadElement,
} from 'acorn';
import { parse } from 'acorn';
import { ancestor } from 'acorn-walk';
import postcss, { type ChildNode, type Container, type Document } from 'postcss';
import { OLDEST_BROWSERS } from '../src/config/product.ts';
import type { NewerFeatures } from './newer-features.ts';

/** The edition of the language that the oldest browsers read, but for what `unreadable` finds. */
const ECMA_VERSION = 2022;

/** Objects that code reaches by a name, and the interface that describes each. */
const INTERFACES: Readonly<Record<string, string>> = {
  caches: 'CacheStorage',
  clipboard: 'Clipboard',
  crypto: 'Crypto',
  document: 'Document',
  history: 'History',
  location: 'Location',
  navigator: 'Navigator',
  performance: 'Performance',
  registration: 'ServiceWorkerRegistration',
  screen: 'Screen',
  searchParams: 'URLSearchParams',
  storage: 'StorageManager',
};
const GLOBAL_NAMES = new Set(['window', 'self', 'globalThis']);
/** Methods whose results are iterators, unless they are `Object`'s. */
const GIVES_ITERATOR = new Set(['values', 'keys', 'entries', 'matchAll']);
/** Methods that take a selector, and throw at one that the browser does not know. */
const TAKES_SELECTOR = new Set(['querySelector', 'querySelectorAll', 'closest', 'matches']);
/** Names of what is a stream of bytes. */
const STREAMS = new Set(['body', 'stream', 'readable', 'pipeThrough']);

/** One use of a feature, as `URL.canParse`, and a browser without it, as `safari 15.4`. */
export interface Finding {
  name: string;
  lacking: string;
}

const OLD_SAFARI = `safari ${OLDEST_BROWSERS.safari}`;
const OLD_CHROME = `chrome ${OLDEST_BROWSERS.chrome}`;

/**
 * Returns what a script uses that one of the oldest browsers lacks, once per use. An optional call (`x.y?.()`) and `typeof x`
 * work without it. A syntax error of that edition is one finding.
 */
export function newerInScript(source: string, newer: NewerFeatures): Finding[] {
  let program: Node;
  try {
    program = parse(source, { ecmaVersion: ECMA_VERSION, sourceType: 'module' });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return [{ name: `syntax: ${message}`, lacking: `ES${ECMA_VERSION}` }];
  }
  const found = unreadable(source);
  const makers = makersOfNames(program);
  const note = (name: string, lacking: string | undefined) => {
    if (lacking !== undefined) found.push({ name, lacking });
  };
  ancestor(program, {
    StaticBlock: () => note('class static block', OLD_SAFARI),
    Identifier(node, _state, ancestors) {
      if (!isAfterTypeof(ancestors)) note(node.name, newer.globals.get(node.name));
    },
    // `const { canParse } = URL`, `({ canParse } = URL)`, `({ canParse } = URL) => ...`
    VariableDeclarator: ({ id, init }) => noteTaken(id, init),
    AssignmentExpression: ({ left, right }) => noteTaken(left, right),
    AssignmentPattern: ({ left, right }) => noteTaken(left, right),
    ForOfStatement({ await: isAsync, right }) {
      const source = right.type === 'CallExpression' ? right.callee : right;
      if (isAsync && STREAMS.has(ownerName(source) ?? '')) note('for await of a stream', OLD_SAFARI);
    },
    NewExpression(node) {
      const name = ownerName(node.callee);
      note(`new ${name}`, newer.ofInstances.get(`${name}.${name}`));
      noteTexts(node);
    },
    CallExpression: (node) => noteTexts(node),
    MemberExpression(node, _state, ancestors) {
      const name = memberName(node.property, node.computed);
      const parent = ancestors.at(-2);
      const isCalled = parent?.type === 'CallExpression' && 'callee' in parent && parent.callee === node;
      if (name === undefined || isAfterTypeof(ancestors)) return;
      if (parent && 'optional' in parent && parent.optional && (isCalled || isReadOf(parent, node))) return;
      const owner = ownerName(node.object);
      if (owner !== undefined && GLOBAL_NAMES.has(owner)) return note(name, newer.globals.get(name));
      const known = owner === undefined ? undefined : ofOwner(owner, name, newer);
      if (known !== undefined) return note(`${owner}.${name}`, known);
      const maker = makerOf(node.object) ?? nearest(makers, ancestors, owner);
      const ofMade = newer.ofInstances.get(`${maker}.${name}`);
      if (ofMade !== undefined) return note(`${maker}.${name}`, ofMade);
      const ofIterator = isCalled && isIterator(node.object) ? `Iterator.${name}` : '';
      const isUsed = isCalled || isReadOf(parent, node);
      note(
        `.${name}`,
        newer.members.get(name) ??
          newer.ofInstances.get(ofIterator) ??
          (isUsed ? newer.methods.get(name) : undefined),
      );
    },
  });
  return found;

  function noteTaken(target: Pattern, source: Expression | null | undefined): void {
    const owner = source ? ownerName(source) : undefined;
    if (owner === undefined || target.type !== 'ObjectPattern') return;
    for (const property of target.properties) {
      const name = property.type === 'Property' ? memberName(property.key, property.computed) : undefined;
      if (name === undefined) continue;
      if (GLOBAL_NAMES.has(owner)) note(name, newer.globals.get(name));
      else note(`${owner}.${name}`, ofOwner(owner, name, newer));
    }
  }

  /** Texts that the browser reads as something else: selectors, media queries, flags of regular expressions. */
  function noteTexts({ callee, arguments: [first, second] }: CallExpression | NewExpression): void {
    const name = ownerName(callee) ?? '';
    const [text, flags] = [textOf(first), textOf(second)];
    if (text !== undefined && TAKES_SELECTOR.has(name)) found.push(...newerInStyles(`${text} {}`, newer));
    if (text !== undefined && name === 'matchMedia') found.push(...newerInStyles(`@media ${text} {}`, newer));
    if (name === 'RegExp' && flags?.includes('v')) note('v flag', OLD_SAFARI);
  }
}

const SCOPE = /Function|Block|Program|^For|Catch/;
/** By scope, and the names that begin there: the constructor of what each one stands for, if that is seen. */
type Makers = ReadonlyMap<Node | undefined, ReadonlyMap<string, string | undefined>>;

function makersOfNames(program: Node): Makers {
  const makers = new Map<Node | undefined, Map<string, string | undefined>>();
  const begin = (name: string, ancestors: readonly Node[], maker?: string) => {
    const scope = ancestors.findLast(({ type }) => SCOPE.test(type));
    const names = makers.get(scope) ?? new Map<string, string | undefined>();
    makers.set(scope, names.set(name, maker ?? names.get(name)));
  };
  ancestor(program, {
    VariableDeclarator({ id, init }, _state, ancestors) {
      if (id.type === 'Identifier') begin(id.name, ancestors, init ? makerOf(init) : undefined);
    },
    Function({ params }, _state, ancestors) {
      for (const param of params) if (param.type === 'Identifier') begin(param.name, ancestors);
    },
  });
  return makers;
}

/** The constructor of what a name stands for, in the scope around that it begins in. */
function nearest(makers: Makers, ancestors: readonly Node[], name = ''): string | undefined {
  const scope = ancestors.findLast((around) => makers.get(around)?.has(name));
  return makers.get(scope)?.get(name);
}

function makerOf(object: Expression | { type: 'Super' }): string | undefined {
  return object.type === 'NewExpression' ? ownerName(object.callee) : undefined;
}

/** Whether a member of `node` is read: it fails where `node` is missing. */
function isReadOf(parent: Node | undefined, node: Node): boolean {
  return parent?.type === 'MemberExpression' && 'object' in parent && parent.object === node;
}

function isIterator(node: Expression | { type: 'Super' }): boolean {
  if (node.type !== 'CallExpression' || node.callee.type !== 'MemberExpression') return false;
  const { object, property, computed } = node.callee;
  return GIVES_ITERATOR.has(memberName(property, computed) ?? '') && ownerName(object) !== 'Object';
}

function ofOwner(owner: string, name: string, { statics, ofInstances }: NewerFeatures): string | undefined {
  return statics.get(`${owner}.${name}`) ?? ofInstances.get(`${INTERFACES[owner]}.${name}`);
}

/** Regular expressions that the oldest browsers cannot read, written as such or as texts; the parser takes some. */
function unreadable(source: string): Finding[] {
  const of = (name: string, pattern: RegExp) =>
    (source.match(pattern) ?? []).map(() => ({ name, lacking: OLD_SAFARI }));
  return [...of('lookbehind', /\(\?<[=!]/g), ...of('modifiers', /\(\?(?:[ims]+(?:-[ims]*)?|-[ims]+):/g)];
}

function isAfterTypeof(ancestors: readonly Node[]): boolean {
  const parent = ancestors.at(-2);
  return parent?.type === 'UnaryExpression' && 'operator' in parent && parent.operator === 'typeof';
}

function memberName(name: Expression | PrivateIdentifier, isComputed: boolean): string | undefined {
  if (name.type === 'Identifier') return isComputed ? undefined : name.name;
  return name.type === 'PrivateIdentifier' ? undefined : textOf(name);
}

/** What a text in the code says, if it is one. */
function textOf(node: Expression | SpreadElement | undefined): string | undefined {
  if (node?.type === 'TemplateLiteral' && node.expressions.length === 0)
    return node.quasis[0]?.value.cooked ?? undefined;
  return node && isText(node) ? node.value : undefined;
}

const isText = (node: Node): node is Literal & { value: string } =>
  node.type === 'Literal' && 'value' in node && typeof node.value === 'string';

/** The last name of what a member belongs to: `navigator` of `window.navigator.share`. */
function ownerName(object: Expression | { type: 'Super' }): string | undefined {
  if (object.type === 'Identifier') return object.name;
  return object.type === 'MemberExpression' ? memberName(object.property, object.computed) : undefined;
}

/**
 * Returns what a style sheet uses that one of the oldest browsers lacks, once per use. A rule with an unknown selector is lost
 * as a whole, and so is an unknown at-rule. What an `@supports` around it names is asked about first.
 */
export function newerInStyles(css: string, newer: NewerFeatures): Finding[] {
  const found: Finding[] = [];
  const note = (name: string, lacking: string | undefined) => {
    if (lacking !== undefined) found.push({ name, lacking });
  };
  const root = postcss.parse(css);
  root.walkAtRules((rule) => {
    if (!isAskedAbout(rule, rule.name)) note(`@${rule.name}`, newer.atRules.get(rule.name));
    if (rule.name === 'media' && /[<>]/.test(rule.params)) note('range in @media', OLD_SAFARI);
  });
  root.walkRules((rule) => {
    if (rule.parent?.type === 'rule' || rule.selector.includes('&')) {
      if (!isAskedAbout(rule, '&')) note('nested rule', OLD_SAFARI);
    }
    for (const [, name = ''] of rule.selector.matchAll(/::?(?!-)([a-z][a-z-]*)/g)) {
      if (!isAskedAbout(rule, `:${name}`)) note(`:${name}`, newer.selectors.get(name));
    }
    if (/:nth-(?:last-)?child\([^)]*\bof\b/.test(rule.selector)) note(':nth-child(of)', OLD_CHROME);
  });
  root.walkDecls((declaration) => {
    const { prop, value } = declaration;
    if (!isAskedAbout(declaration, prop)) note(prop, newer.properties.get(prop));
    const parts = [...value.matchAll(NEWER_VALUES)].map(([part]) => [part, OLD_SAFARI] as const);
    const calls = [...value.matchAll(/(?<![\w-])([a-z][\w-]*)\(/g)].map(
      ([call, name = '']) => [call, newer.functions.get(name)] as const,
    );
    const words = [...value.matchAll(/(?<![\w-])[a-z][a-z-]*(?![\w(-])/g)].map(
      ([word]) => [word, newer.keywords.get(`${prop}: ${word}`)] as const,
    );
    for (const [part, lacking] of [...parts, ...calls, ...words]) {
      if (!isAskedAbout(declaration, part)) note(`${part} in a value`, lacking);
    }
    if (prop === 'content' && /["')]\s*\//.test(value)) note('alt text in content', OLD_SAFARI);
  });
  return found;
}

/** Returns the same of a page's inline scripts and styles. */
export function newerInPage(html: string, newer: NewerFeatures): Finding[] {
  const inline = (element: string) =>
    [...html.matchAll(new RegExp(`<${element}[^>]*>([\\s\\S]*?)</${element}>`, 'g'))].map(
      ([, text = '']) => text,
    );
  return [
    ...inline('script').flatMap((script) => newerInScript(script, newer)),
    ...inline('style').flatMap((styles) => newerInStyles(styles, newer)),
  ];
}

/**
 * Returns a line for each finding that has no explanation, and for each explanation that is given for another number of
 * uses than there are: a new use of a feature that was harmless so far is to be looked at.
 */
export function unexplained(
  found: readonly (Finding & { file: string })[],
  explained: Readonly<Record<string, readonly [uses: number, because: string]>>,
  niceties: readonly string[],
): string[] {
  const others = found.filter(({ name }) => !niceties.includes(name) && !(name in explained));
  const counts = Object.entries(explained).map(([name, [uses]]) => {
    const files = found.filter((one) => one.name === name).map(({ file }) => file);
    return files.length === uses
      ? []
      : `${name}: ${files.length} uses instead of ${uses}: ${files.join(', ')}`;
  });
  return [
    ...others.map(({ name, lacking, file }) => `${file}: ${name} is not in ${lacking}`),
    ...counts.flat(),
  ];
}

/** Units and notations that drop a declaration where they are unknown. */
const NEWER_VALUES =
  /\blinear\(|\(from(?=\s)|\bin (?:srgb|hsl|hwb|lab|lch|oklab|oklch|xyz)\b|\ballow-discrete\b|\b\d*\.?\d+(?:cqw|cqh|cqi|cqb|cqmin|cqmax|lh|rlh|cap|rcap|rex|ric)\b/g;

/** Whether an `@supports` around a rule or declaration asks for what its words name. */
function isAskedAbout({ parent }: ChildNode | Container | Document, words: string): boolean {
  if (!parent) return false;
  const asks =
    parent.type === 'atrule' && 'params' in parent && 'name' in parent && parent.name === 'supports';
  const params = asks ? String(parent.params) : '';
  return (params.includes(words) && !params.startsWith('not')) || isAskedAbout(parent, words);
}
