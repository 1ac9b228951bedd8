import { describe, expect, it } from 'vitest';
import { OLDEST_BROWSERS } from '../src/config/product.ts';
import { newerInPage, newerInScript, newerInStyles, unexplained } from './find-newer-features.ts';
import { newerFeatures } from './newer-features.ts';

const newer = newerFeatures();
const inScript = (source: string) => newerInScript(source, newer).map(({ name }) => name);
const inStyles = (css: string) => newerInStyles(css, newer).map(({ name }) => name);

describe('newerInScript', () => {
  it.each([
    ['URL.canParse(a)', 'URL.canParse'],
    ['window.URL.canParse(a)', 'URL.canParse'],
    ['URL["canParse"](a)', 'URL.canParse'],
    ['URL[`canParse`](a)', 'URL.canParse'],
    ['const { canParse } = URL', 'URL.canParse'],
    ['const { canParse: b = c } = self.URL', 'URL.canParse'],
    ['const { share } = navigator', 'navigator.share'],
    ['const { Temporal } = globalThis', 'Temporal'],
    ['URL.parse(a)', 'URL.parse'],
    ['a.toSorted()', '.toSorted'],
    ['a?.toSorted()', '.toSorted'],
    ['a.b.toReversed()', '.toReversed'],
    ['a.toSpliced(1, 2)', '.toSpliced'],
    ['a.with(0, 1)', '.with'],
    ['a.union(b)', '.union'],
    ['a.isWellFormed()', '.isWellFormed'],
    ['Object.groupBy(a, b)', 'Object.groupBy'],
    ['Map.groupBy(a, b)', 'Map.groupBy'],
    ['Array.fromAsync(a)', 'Array.fromAsync'],
    ['Promise.withResolvers()', 'Promise.withResolvers'],
    ['Promise.try(a)', 'Promise.try'],
    ['AbortSignal.any([a])', 'AbortSignal.any'],
    ['AbortSignal.timeout(1)', 'AbortSignal.timeout'],
    ['new Intl.DurationFormat()', 'Intl.DurationFormat'],
    ['new Intl.Segmenter()', 'Intl.Segmenter'],
    ['Iterator.from(a)', 'Iterator.from'],
    ['Temporal.Now', 'Temporal'],
    ['requestIdleCallback(a)', 'requestIdleCallback'],
    ['window.requestIdleCallback(a)', 'requestIdleCallback'],
    ['scheduler.yield()', 'scheduler'],
    ['new CompressionStream("gzip")', 'CompressionStream'],
    ['navigator.share(a)', 'navigator.share'],
    ['document.startViewTransition(a)', 'document.startViewTransition'],
    ['element.showPopover()', '.showPopover'],
    ['element.checkVisibility()', '.checkVisibility'],
    ['/(?<!a)b/', 'lookbehind'],
    ['new RegExp(`(?<=a)b`)', 'lookbehind'],
    ['new RegExp("(?i:a)")', 'modifiers'],
    ['new RegExp("[a--b]", "v")', 'v flag'],
    ['RegExp(a, "gv")', 'v flag'],
    ['class A { static { a() } }', 'class static block'],
    ['a.values().map(b)', '.map'],
    ['a.entries().filter(b)', '.filter'],
    ['a.matchAll(/b/g).some(c)', '.some'],
    ['for await (const a of b.body) {}', 'for await of a stream'],
    ['for await (const a of b.stream()) {}', 'for await of a stream'],
    ['new CSSStyleSheet()', 'new CSSStyleSheet'],
    ['a.adoptedStyleSheets.push(b)', '.adoptedStyleSheets'],
    ['element.checkVisibility.call(a)', '.checkVisibility'],
    ['navigator.clipboard.read()', 'clipboard.read'],
    ['const a = URL; a.canParse(b)', '.canParse'],
    ['const a = Object; a.groupBy(b, c)', '.groupBy'],
    ['({ canParse: a } = URL)', 'URL.canParse'],
    ['({ canParse } = URL) => canParse(a)', 'URL.canParse'],
    ['const a = new URLSearchParams(b); if (c) { a.size > 0 }', 'URLSearchParams.size'],
    ['new URLSearchParams(a).size', 'URLSearchParams.size'],
    ['a.searchParams.size', 'searchParams.size'],
    ['let a = new Intl.NumberFormat(b); () => a.formatRange(1, 2)', 'NumberFormat.formatRange'],
    ['document.querySelector("a:has(b)")', ':has'],
    ['a.closest(`:popover-open`)', ':popover-open'],
    ['matchMedia("(width < 600px)")', 'range in @media'],
  ])('notices %s', (source, name) => expect(inScript(source)).toContain(name));

  it.each([
    '/[a--b]/v',
    'using a = b();',
    'import a from "a" with { type: "json" };',
    'for await (using a of b) {}',
  ])('notices the syntax of %s', (source) => expect(inScript(source)[0]).toMatch(/^syntax: /));

  it.each([
    'a?.b ?? c; a ||= b; await 0;',
    'class A { #b = 1; static c = 2; #d() {} has(a) { return #b in a } }',
    'a.at(-1); a.findLast(b); Object.hasOwn(a, b); structuredClone(a); crypto.randomUUID()',
    'a.replaceAll("b", "c"); a.flatMap(b); Promise.allSettled(a); new Intl.ListFormat()',
    'navigator.locks.request("a", b); new BroadcastChannel("a"); element.replaceChildren(); a.signal.throwIfAborted()',
    'Object.values(a).map(b); a.keys().next(); new RegExp("a", "gu"); a.closest("b:not(c)"); a.pushManager?.b',
    'const a = new URLSearchParams(b); c((a) => a.size); { let a = new Map(); a.size }; new Set(a).size',
    'for await (const a of b()) {}; matchMedia("(min-width: 600px)"); const { origin } = location',
    'a.toSorted?.(b); typeof URL.canParse; typeof scheduler; "share" in navigator',
    'const b = { share: 1, union: 2 }; b.share; /\\p{Lu}/u; /(?<name>a)/',
  ])('takes %s', (source) => expect(inScript(source)).toEqual([]));
});

describe('newerInStyles', () => {
  it.each([
    ['a:has(b) {}', ':has'],
    ['a:user-invalid {}', ':user-invalid'],
    ['a { b { color: red } }', 'nested rule'],
    ['a { &:hover { color: red } }', 'nested rule'],
    ['@container (width > 1px) {}', '@container'],
    ['@scope (a) {}', '@scope'],
    ['@starting-style {}', '@starting-style'],
    ['@media (width < 600px) {}', 'range in @media'],
    ['a { color: color-mix(in srgb, red, blue) }', 'color-mix( in a value'],
    ['a { color: light-dark(red, blue) }', 'light-dark( in a value'],
    ['a { width: 10cqw }', '10cqw in a value'],
    ['a { anchor-name: --a }', 'anchor-name'],
    ['a { field-sizing: content }', 'field-sizing'],
    ['a:nth-child(1 of .b) {}', ':nth-child(of)'],
    ['a { color: color(display-p3 1 0 0) }', 'color( in a value'],
    ['a { color: rgb(from red r g b) }', '(from in a value'],
    ['a { background: linear-gradient(in oklch, red, blue) }', 'in oklch in a value'],
    ['a { background: image-set("a.png" 1x) }', 'image-set( in a value'],
    ['a { width: calc(exp(1) * 1px) }', 'exp( in a value'],
    ['a { clip-path: xywh(0 0 1px 1px) }', 'xywh( in a value'],
    ['a { grid-template-columns: subgrid }', 'subgrid in a value'],
    ['a { overflow-x: clip }', 'clip in a value'],
    ['a { width: stretch }', 'stretch in a value'],
    ['a { transition: display 1s allow-discrete }', 'allow-discrete in a value'],
    ['a { content: "a" / "b" }', 'alt text in content'],
    ['@supports (display: grid) { a:has(b) { color: red } }', ':has'],
    ['@supports not selector(:has(a)) { a:has(b) { color: red } }', ':has'],
    ['@supports (display: grid) { a { width: 10cqw } }', '10cqw in a value'],
  ])('notices %s', (css, name) => expect(inStyles(css)).toContain(name));

  it.each([
    'a { height: 100dvh; inset: 0; gap: 1rem; aspect-ratio: 1; width: clamp(1px, 2vw, 3px) }',
    'a:is(b, c):focus-visible:not(d, e)::before { accent-color: red }',
    '@supports selector(:has(a)) { a:has(b) { color: red } }',
    '@supports (width: stretch) { a { width: stretch } }',
    'a { overflow: hidden auto; text-overflow: clip; clip: rect(0, 0, 0, 0); align-content: start; cursor: pointer }',
    'a { background: linear-gradient(red, blue), url(from/in.png); transition: color 1s ease-in }',
    '@media (min-width: 600px) and (prefers-reduced-motion: reduce) { a { scroll-behavior: auto } }',
    '@layer a { b { color: red } }',
  ])('takes %s', (css) => expect(inStyles(css)).toEqual([]));
});

it('looks through the inline scripts and styles of a page', () => {
  const html =
    '<style>a:has(b) {}</style><script>a.toSorted()</script><script type="module" src="/a.js"></script>';
  expect(newerInPage(html, newer).map(({ name }) => name)).toEqual(['.toSorted', ':has']);
});

it('says in which of the oldest browsers something is missing', () => {
  expect(newerInStyles('a:has(b) {}', newer)[0]?.lacking).toBe(`firefox ${OLDEST_BROWSERS.firefox}`);
  expect(newerInScript('URL.canParse(a)', newer)[0]?.lacking).toBe(`safari ${OLDEST_BROWSERS.safari}`);
});

describe('unexplained', () => {
  const found = [
    { file: 'a.js', name: 'URL.canParse', lacking: 'safari 15.4' },
    { file: 'a.css', name: 'text-wrap', lacking: 'safari 15.4' },
  ];

  it('is quiet where each use is explained', () => {
    expect(unexplained(found, { 'URL.canParse': [1, 'asks first'] }, ['text-wrap'])).toEqual([]);
  });

  it('names the file of what is not, and an explanation for another number of uses', () => {
    expect(unexplained(found, {}, ['text-wrap'])).toEqual(['a.js: URL.canParse is not in safari 15.4']);
    expect(unexplained(found, { 'URL.canParse': [2, 'asks first'] }, ['text-wrap'])).toEqual([
      'URL.canParse: 1 uses instead of 2: a.js',
    ]);
  });
});
