import { foldStatus } from '@casewatch/contracts/fold-status';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mergeHistory } from './case-history.ts';
import { recordAnswer, type StoredObservation } from './record-answer.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** How the agency writes one answer. */
const look = fc.record({
  writes: fc.constantFrom('days', 'times', 'upper case'),
  /** It lists nothing, or nothing that can be read. */
  misses: fc.constantFrom('nothing', 'nothing', 'nothing', 'list', 'reading'),
});
/** A case, its stays one after the other, each seen in one answer at least. */
const story = fc.record({
  stays: fc.array(
    fc.record({
      title: fc.constantFrom('Received', 'Asked', 'Transferred'),
      gapDays: fc.integer({ min: 0, max: 5 }),
      looks: fc.array(look, { minLength: 1, maxLength: 3 }),
    }),
    { minLength: 1, maxLength: 6 },
  ),
  listsCurrent: fc.boolean(),
  isDated: fc.boolean(),
  /** How many days before the answers the agency dates a stay. */
  lagDays: fc.integer({ min: 0, max: 2 }),
});
type Story = typeof story extends fc.Arbitrary<infer One> ? One : never;
interface Stay {
  title: string;
  sinceMs: number;
}

/** Plays a story; calls `change` before each answer, and returns what is stored and the stays that the case was in. */
function play(
  { stays, listsCurrent, isDated, lagDays }: Story,
  change: (truth: Stay[], latestMs: number) => void = () => {},
) {
  let nowMs = Date.parse('2026-01-05T12:00:00Z');
  const truth: Stay[] = [];
  let stored: StoredObservation[] = [];
  for (const { title, gapDays, looks } of stays) {
    if (truth.at(-1)?.title === title) continue;
    nowMs += gapDays * DAY_MS + HOUR_MS;
    truth.push({ title, sinceMs: nowMs - lagDays * DAY_MS });
    // The store keeps when a status began while it continues.
    const stay = isDated
      ? { statusAtMs: nowMs - lagDays * DAY_MS, statusDate: iso(nowMs - lagDays * DAY_MS) }
      : { statusAtMs: nowMs + 1, statusDate: null };
    for (const { writes, misses } of looks) {
      nowMs += HOUR_MS;
      change(truth, nowMs - lagDays * DAY_MS);
      const write = (one: Stay) => ({
        status: writes === 'upper case' ? one.title.toUpperCase() : one.title,
        statusEs: null,
        date: writes === 'times' ? iso(one.sinceMs) : iso(one.sinceMs).slice(0, 10),
      });
      const listed = listsCurrent ? truth : truth.slice(0, -1);
      const answer = {
        ...write({ title, sinceMs: 0 }),
        ...stay,
        observedAtMs: nowMs,
        history: misses === 'nothing' ? listed.map(write).toReversed() : [],
        isWholeHistory: misses !== 'reading',
      };
      const rows = new Map(stored.map((row) => [row.entry, row]));
      for (const row of recordAnswer(stored, answer)) rows.set(row.entry, row);
      stored = [...rows.values()];
    }
  }
  return { stored, truth };
}

const iso = (ms: number) => new Date(ms).toISOString().slice(0, 19).replace('T', ' ');
const shownTitles = (stored: StoredObservation[]) =>
  mergeHistory(stored).map(({ caseStatus }) => foldStatus(caseStatus));

test('a case whose every status was seen has each of its stays once, newest first, however the agency lists them', () => {
  fc.assert(
    fc.property(story, (generated) => {
      const { stored, truth } = play(generated);
      expect(shownTitles(stored).toReversed()).toEqual(truth.map(({ title }) => foldStatus(title)));
    }),
    { numRuns: 2_000 },
  );
});

/** One that is withdrawn and another one of its title with another date are two. */
const alwaysListed = (generated: Story): Story => ({
  ...generated,
  stays: generated.stays.map((stay) => ({
    ...stay,
    looks: stay.looks.map((one) => ({ ...one, misses: one.misses === 'list' ? 'nothing' : one.misses })),
  })),
});

test('corrected dates that keep the order of the stays add no entry, as long as the agency lists them', () => {
  const corrections = fc.array(
    fc.record({ nth: fc.nat({ max: 5 }), days: fc.integer({ min: -3, max: 3 }) }),
    { maxLength: 4 },
  );
  fc.assert(
    fc.property(story, corrections, (generated, corrected) => {
      const left = [...corrected];
      const { stored, truth } = play(alwaysListed(generated), (stays, latestMs) => {
        const next = left.shift();
        const stay = next && stays[next.nth];
        if (!stay) return;
        const sinceMs = stay.sinceMs + next.days * DAY_MS;
        const [older, newer] = [stays[next.nth - 1], stays[next.nth + 1]];
        if (sinceMs > (older?.sinceMs ?? 0) && sinceMs < (newer?.sinceMs ?? latestMs)) stay.sinceMs = sinceMs;
      });
      const agency = stored.filter(({ source }) => source === 'agency-history');
      expect(agency.length).toBeLessThanOrEqual(truth.length);
      expect(mergeHistory(stored).length).toBeLessThanOrEqual(truth.length);
    }),
    { numRuns: 2_000 },
  );
});
