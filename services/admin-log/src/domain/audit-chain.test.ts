import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type ChainEnds, type ChainedEntry, hashEntry, type Link, verifyChain } from './audit-chain.ts';

const START: Link = { seq: 7, hash: 'a'.repeat(64) };
type Content = Omit<ChainedEntry, 'seq' | 'hash'>;

const text = fc.oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom('', '-', '3:abc,', '1:a,1:b,'));
const nullable = fc.option(text, { nil: null });
const content: fc.Arbitrary<Content> = fc.record({
  id: fc.uuid(),
  at: fc
    .date({ min: new Date(0), max: new Date(4e12), noInvalidDate: true })
    .map((date) => date.toISOString()),
  actor: nullable,
  actorId: nullable,
  role: nullable,
  action: text,
  subject: text,
  success: fc.boolean(),
  sessionId: nullable,
  address: nullable,
  details: fc.dictionary(text, text, { maxKeys: 4 }),
});
const contents = fc.array(content, { minLength: 1, maxLength: 8 });

function chained(given: readonly Content[]): { ends: ChainEnds; entries: ChainedEntry[] } {
  const entries: ChainedEntry[] = [];
  let last = START;
  for (const each of given) {
    const entry = { ...each, seq: last.seq + 1 };
    last = { seq: entry.seq, hash: hashEntry(last.hash, entry) };
    entries.push({ ...entry, hash: last.hash });
  }
  return { ends: { anchor: START, head: last }, entries };
}
const at = <T>(list: readonly T[], index: number): T => {
  const found = list[index % list.length];
  if (found === undefined) throw new Error('the list is empty');
  return found;
};
const problemOf = async (ends: ChainEnds, entries: readonly ChainedEntry[], noted: Link[] = []) =>
  (await verifyChain(ends, entries, noted)).problem;

test('an untouched chain is unbroken, also behind an anchor', () =>
  fc.assert(
    fc.asyncProperty(contents, fc.nat(), async (given, cut) => {
      const { ends, entries } = chained(given);
      expect(await verifyChain(ends, entries)).toEqual({ checked: given.length, problem: undefined });
      const pruned = cut % given.length;
      const anchor = entries[pruned - 1] ?? START;
      expect(await problemOf({ ...ends, anchor }, entries.slice(pruned))).toBeUndefined();
    }),
  ));

test('any changed field of any entry breaks it, and the entry is named', () =>
  fc.assert(
    fc.asyncProperty(contents, fc.nat(), content, fc.nat(), async (given, which, other, nth) => {
      const { ends, entries } = chained(given);
      const index = which % entries.length;
      const name = at(Object.keys(other), nth) as keyof Content;
      const victim = at(entries, index);
      fc.pre(JSON.stringify(victim[name]) !== JSON.stringify(other[name]));
      const isSame =
        name === 'details' && hashEntry('', { ...victim, details: other.details }) === hashEntry('', victim);
      fc.pre(!isSame);
      const forged = entries.with(index, { ...victim, [name]: other[name] });
      expect(await problemOf(ends, forged)).toContain(`entry ${victim.seq}`);
    }),
  ));

test('a changed entry that gets a fitting hash of its own breaks it at the next one, or at the head', () =>
  fc.assert(
    fc.asyncProperty(contents, fc.nat(), async (given, which) => {
      const { ends, entries } = chained(given);
      const index = which % entries.length;
      const victim = { ...at(entries, index), action: 'nothing to see' };
      fc.pre(victim.action !== at(entries, index).action);
      const hash = hashEntry(entries[index - 1]?.hash ?? START.hash, victim);
      expect(await problemOf(ends, entries.with(index, { ...victim, hash }))).toBeDefined();
    }),
  ));

test('any removed entry breaks it, the newest included', () =>
  fc.assert(
    fc.asyncProperty(contents, fc.nat(), async (given, which) => {
      const { ends, entries } = chained(given);
      expect(await problemOf(ends, entries.toSpliced(which % entries.length, 1))).toBeDefined();
    }),
  ));

test('any inserted entry breaks it, wherever it stands and however it is numbered', () =>
  fc.assert(
    fc.asyncProperty(contents, fc.nat(), content, fc.boolean(), async (given, which, extra, renumber) => {
      const { ends, entries } = chained(given);
      const index = which % (entries.length + 1);
      const before: Link = entries[index - 1] ?? START;
      const entry = { ...extra, seq: before.seq + 1 };
      const forged = entries.toSpliced(index, 0, { ...entry, hash: hashEntry(before.hash, entry) });
      const numbered = renumber ? forged.map((each, nth) => ({ ...each, seq: START.seq + 1 + nth })) : forged;
      expect(await problemOf(ends, numbered)).toBeDefined();
    }),
  ));

test('two entries in each other’s place break it', () =>
  fc.assert(
    fc.asyncProperty(fc.array(content, { minLength: 2, maxLength: 8 }), fc.nat(), async (given, which) => {
      const { ends, entries } = chained(given);
      const index = which % (entries.length - 1);
      const [first, second] = [at(entries, index), at(entries, index + 1)];
      expect(await problemOf(ends, entries.with(index, second).with(index + 1, first))).toBeDefined();
    }),
  ));

test('a chain that was made anew from the first entry on is not the one that was noted', () =>
  fc.assert(
    fc.asyncProperty(contents, fc.nat(), async (given, which) => {
      const { ends, entries } = chained(given);
      const noted = at(entries, which);
      expect(await problemOf(ends, entries, [noted])).toBeUndefined();
      const remade = chained(given.with(0, { ...at(given, 0), action: `not ${at(given, 0).action}` }));
      expect(await problemOf(remade.ends, remade.entries, [noted])).toContain('noted');
      const cut = chained(given.slice(0, which % entries.length));
      expect(await problemOf(cut.ends, cut.entries, [noted])).toContain('noted');
    }),
  ));

test('a chain that begins behind another link than the one that was noted is not the one that was noted', () =>
  fc.assert(
    fc.asyncProperty(contents, fc.nat(), async (given, cut) => {
      const { ends, entries } = chained(given);
      const pruned = cut % given.length;
      const anchor = entries[pruned - 1] ?? START;
      const kept = [{ ...ends, anchor }, entries.slice(pruned)] as const;
      expect(await problemOf(...kept, [anchor])).toBeUndefined();
      const noted = { ...anchor, hash: 'b'.repeat(64) };
      expect(await problemOf(...kept, [noted])).toContain(`the anchor ${anchor.seq}`);
    }),
  ));

const ENTRY: Content = {
  id: '0198a4f0-0000-7000-8000-000000000001',
  at: '2026-01-05T12:00:00.000Z',
  actor: 'José',
  actorId: null,
  role: 'admin',
  action: 'user.suspend',
  subject: '',
  success: true,
  sessionId: null,
  address: '192.0.2.1',
  details: {},
};

test('the hash covers each field with its length in bytes, and details by their names’ bytes, as in the database', () => {
  const hash = hashEntry('abc', { ...ENTRY, seq: 12, details: { '\u{1F600}': 'z', '\uFF5E': 'y', a: 'x' } });
  const covered =
    '3:abc,2:12,36:0198a4f0-0000-7000-8000-000000000001,24:2026-01-05T12:00:00.000Z,5:José,-,5:admin,' +
    '12:user.suspend,0:,4:true,-,9:192.0.2.1,1:a,1:x,3:\uFF5E,1:y,4:\u{1F600},1:z,';
  expect(hash).toBe(createHash('sha256').update(covered).digest('hex'));
});

test('the report names what is missing: an entry in the middle, the newest, or all behind a head of the same hash', async () => {
  const { ends, entries } = chained([ENTRY, ENTRY, ENTRY]);
  expect(await problemOf(ends, entries.toSpliced(1, 1))).toBe('entry 9 is missing: entry 10 follows 8');
  expect(await problemOf(ends, entries.slice(0, 2))).toBe(
    'the chain ends at entry 9, but its head is entry 10',
  );
  const renumbered = { ...ends, head: { ...ends.head, seq: 11 } };
  expect(await problemOf(renumbered, entries)).toBe('the chain ends at entry 10, but its head is entry 11');
});
