import { createRequire } from 'node:module';
import type { CompatData, Identifier, SimpleSupportStatement } from '@mdn/browser-compat-data/types';
import { OLDEST_BROWSERS } from '../src/config/product.ts';

type BrowserId = keyof CompatData['browsers'];
const { safari, ios, chrome, edge, firefox } = OLDEST_BROWSERS;
/** The oldest browsers by the names that MDN's compatibility data has for them. */
const OLDEST: readonly (readonly [id: BrowserId, version: string])[] = [
  ['safari', safari],
  ['safari_ios', ios],
  ['chrome', chrome],
  ['edge', edge],
  ['firefox', firefox],
];

/** Names of features, each with one of the oldest browsers that does not have it. */
export type Lacking = ReadonlyMap<string, string>;

/** What at least one of the oldest browsers does not have, by the names that code and styles call it. */
export interface NewerFeatures {
  /** `Iterator`, `requestIdleCallback`. */
  globals: Lacking;
  /** With what they belong to: `URL.canParse`, and `Navigator.share` of the object that `navigator` is. */
  statics: Lacking;
  ofInstances: Lacking;
  /** Members of the language's own objects that no object of the oldest browsers has under this name: `toSorted`. */
  members: Lacking;
  /** The same of objects that the browser has, and of what constructors have: `checkVisibility`, `canParse`. */
  methods: Lacking;
  properties: Lacking;
  selectors: Lacking;
  atRules: Lacking;
  /** Of styles: `color-mix`. */
  functions: Lacking;
  /** With their properties: `overflow: clip`. */
  keywords: Lacking;
}

/** Properties whose words are in the data for some layouts only, or are no loss. */
const WORDS_ASIDE = /^(?:align-|justify-|place-|cursor$|text-decoration$)/;
/** Also a part of an older property. */
const OLDER_FUNCTIONS = new Set(['rect']);

/** What every script has as globals. */
const GLOBAL_OBJECTS = ['Window', 'WorkerGlobalScope', 'ServiceWorkerGlobalScope'];

/** Reads MDN's compatibility data. */
export function newerFeatures(): NewerFeatures {
  const data: CompatData = createRequire(import.meta.url)('@mdn/browser-compat-data');
  const { builtins = {} } = data.javascript;
  const found = collect();
  for (const [owner, feature] of features(builtins)) {
    found.readOwner(owner, feature, 'builtins');
    if (owner === 'Intl')
      for (const [name, part] of features(feature)) found.readOwner(name, part, 'builtins');
  }
  for (const [owner, feature] of features(data.api)) found.readOwner(owner, feature, 'api');
  for (const owner of GLOBAL_OBJECTS) {
    for (const [name, feature] of features(data.api[owner] ?? {}))
      note(found.globals, name, lacksIt(feature));
  }
  const { globals, statics, ofInstances, olderNames } = found;
  return {
    globals,
    statics,
    ofInstances,
    members: without(found.members, olderNames),
    methods: without(found.methods, olderNames),
    properties: newerIn(data.css.properties),
    selectors: newerIn(data.css.selectors),
    atRules: newerIn(data.css['at-rules']),
    functions: without(newerWithin(data.css.types ?? {}), OLDER_FUNCTIONS),
    keywords: newerKeywords(data.css.properties ?? {}),
  };
}

function collect() {
  const globals = new Map<string, string>();
  const statics = new Map<string, string>();
  const ofInstances = new Map<string, string>();
  const members = new Map<string, string>();
  const methods = new Map<string, string>();
  const olderNames = new Set<string>();

  function readOwner(owner: string, feature: Identifier, kind: 'builtins' | 'api'): void {
    const ownerLacking = lacksIt(feature);
    note(globals, owner, ownerLacking);
    for (const [key, member] of features(feature)) {
      const isStatic = kind === 'api' ? key.endsWith('_static') : isOwnOf(owner, key);
      const name = key.replace(/_static$/, '');
      const lacking = lacksIt(member);
      if (lacking === undefined) olderNames.add(name);
      else {
        (isStatic ? statics : ofInstances).set(`${owner}.${name}`, lacking);
        // Members of an object that is newer itself are not met on others.
        const isStandard = member.__compat?.status?.standard_track !== false;
        if (ownerLacking === undefined && isStandard)
          (kind === 'api' || isStatic ? methods : members).set(name, lacking);
      }
    }
  }
  return { globals, statics, ofInstances, members, methods, olderNames, readOwner };
}

/** The features that one holds, without events and what is no name of code. */
function features(parent: Identifier): [name: string, feature: Identifier][] {
  return parts(parent).filter(
    ([name]) => !name.endsWith('_event') && (!/[@_]/.test(name) || name.endsWith('_static')),
  );
}

const parts = ({ __compat: _, ...held }: Identifier): [name: string, feature: Identifier][] =>
  Object.entries(held);

/** Whether a built-in object itself has a member, and not those that it makes. */
function isOwnOf(owner: string, name: string): boolean {
  const object: unknown = Reflect.get(globalThis, owner) ?? Reflect.get(Intl, owner);
  return (typeof object === 'object' || typeof object === 'function') && object !== null && name in object;
}

/** The first of the oldest browsers that does not have a feature without a flag, under this name. */
function lacksIt({ __compat: compat }: Identifier): string | undefined {
  if (!compat) return undefined;
  const lacking = OLDEST.find(([id, version]) => {
    const statements: SimpleSupportStatement[] = [compat.support[id] ?? []].flat();
    return !statements.some((one) => hasIt(one, version));
  });
  return lacking?.join(' ');
}

function hasIt(statement: SimpleSupportStatement, version: string): boolean {
  const {
    version_added: added,
    version_removed: removed,
    flags,
    prefix,
    alternative_name: other,
  } = statement;
  if (flags || prefix || other || typeof added !== 'string' || added === 'preview') return false;
  const isRemoved = typeof removed === 'string' && removed !== 'preview' && isAtMost(removed, version);
  return isAtMost(added, version) && !isRemoved;
}

function isAtMost(one: string, other: string): boolean {
  const [a, b] = [one, other].map((version) => version.replace('≤', '').split('.').map(Number));
  const at = [0, 1, 2].find((place) => (a?.[place] ?? 0) !== (b?.[place] ?? 0));
  return at === undefined || (a?.[at] ?? 0) < (b?.[at] ?? 0);
}

function newerIn(parent: Identifier | undefined): Lacking {
  const names = new Map<string, string>();
  for (const [name, feature] of parts(parent ?? {})) note(names, name, lacksIt(feature));
  return names;
}

/** The same of everything below. */
function newerWithin(parent: Identifier): Lacking {
  const below = parts(parent).flatMap(([, feature]) => [...newerWithin(feature)]);
  return new Map([...below, ...newerIn(parent)]);
}

function newerKeywords(properties: Identifier): Lacking {
  const known = parts(properties).filter(([name, feature]) => !WORDS_ASIDE.test(name) && !lacksIt(feature));
  return new Map(
    known.flatMap(([name, feature]) =>
      [...newerIn(feature)].map(([word, lacking]): [string, string] => [`${name}: ${word}`, lacking]),
    ),
  );
}

function note(names: Map<string, string>, name: string, lacking: string | undefined): void {
  if (lacking !== undefined) names.set(name, lacking);
}

const without = (names: Lacking, others: ReadonlySet<string>): Lacking =>
  new Map([...names].filter(([name]) => !others.has(name)));
