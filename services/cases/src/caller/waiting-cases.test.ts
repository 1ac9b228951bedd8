import fc from 'fast-check';
import { expect, test } from 'vitest';
import { check, person } from '../../test/caller-fixture.ts';
import { createWaitingCases, type Wanted } from './waiting-cases.ts';

const UNPACED = { isDue: () => true, advance: () => undefined };
const ADA = person('ada');
const REQUESTERS = [check(), ADA, person('bob'), person('pat', 'pro')];
const start = () =>
  createWaitingCases({ share: 0.5, lead: 3, weights: { free: 1, pro: 4 }, timeoutMs: 10_000 });

const enter = (waiting: ReturnType<typeof start>, id: string, receiptNumber: string, who = 0) =>
  waiting.enter({ id, receiptNumber, requester: REQUESTERS[who] ?? ADA, waitedMs: 0, leftMs: 1_000 }, 0);

test('a case goes at the first turn of any of its lookups, which pays, and no other has a turn at the same time', () => {
  const waiting = start();
  for (const id of ['1', '2', '3']) enter(waiting, id, `K${id}`, 1);
  enter(waiting, '4', 'K3', 2);
  expect([waiting.next(UNPACED)?.payer.id, waiting.next(UNPACED)?.payer.id]).toEqual(['1', '4']);
  const last = waiting.next(UNPACED);
  expect([last?.payer.id, waiting.next(UNPACED), waiting.waiting(), waiting.size()]).toEqual([
    '2',
    undefined,
    0,
    3,
  ]);
});

/** Packed: most stories are short, and their making must not take longer than they do. */
const story = fc.array(fc.nat(0x7fff_ffff), { minLength: 5, maxLength: 40 });

test('in any of 100,000 stories a lookup has its turn for its own case, a busy case has none, and no lookup is forgotten', () => {
  let turns = 0;
  fc.assert(
    fc.property(story, (steps) => {
      const waiting = start();
      const caseOf = new Map<string, string>();
      const busy = new Map<string, Wanted>();
      const take = () => {
        const next = waiting.next(UNPACED);
        if (!next) return false;
        turns += 1;
        const { one, payer } = next;
        if (caseOf.get(payer.id) !== one.receiptNumber || one.receiptNumber !== payer.receiptNumber)
          throw new Error('a turn for the case of another');
        if (busy.has(one.receiptNumber)) throw new Error('two turns for one case');
        busy.set(one.receiptNumber, one);
        return true;
      };
      const end = (one: Wanted, all: boolean) => {
        busy.delete(one.receiptNumber);
        const ended = [...one.lookups.keys()].slice(0, all ? one.lookups.size : 1);
        waiting.forget(one, ended);
        for (const id of ended) caseOf.delete(id);
        waiting.putBack(one);
      };
      for (const [nth, value] of steps.entries()) {
        const which = value >>> 3;
        const [oneBusy] = [...busy.values()].slice(which % Math.max(1, busy.size));
        switch (value % 8) {
          case 0:
          case 1:
          case 2: {
            const id = String(nth);
            const receiptNumber = `K${which % 4}`;
            caseOf.set(id, receiptNumber);
            enter(waiting, id, receiptNumber, (which >>> 4) % REQUESTERS.length);
            break;
          }
          case 3:
          case 4:
            take();
            break;
          case 5:
            if (oneBusy) end(oneBusy, true);
            break;
          case 6:
            if (oneBusy) end(oneBusy, false);
            break;
          default:
            // One that waits times out.
            for (const one of waiting.idle()) {
              const [id] = one.lookups.keys();
              if (id === undefined) throw new Error('a case without a waiting lookup');
              waiting.forget(one, [id]);
              caseOf.delete(id);
              break;
            }
        }
      }
      for (let rounds = 0; caseOf.size > 0; rounds += 1) {
        if (rounds > 200) throw new Error('a lookup is forgotten');
        take();
        for (const one of [...busy.values()]) end(one, rounds % 2 === 0);
      }
      for (const one of [...busy.values()]) end(one, true);
      if (waiting.size() + waiting.waiting() > 0) throw new Error('something is kept');
    }),
    { numRuns: 100_000 },
  );
  expect(turns).toBeGreaterThan(100_000);
});
