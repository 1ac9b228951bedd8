import type { PayloadOf } from '@casewatch/contracts/event-type';
import { userLoggedIn } from '@casewatch/contracts/events';
import type { ServiceName } from '@casewatch/contracts/route-contract';
import type { SqlExecutor } from '@casewatch/service-kit/database/sql-executor';
import { systemClock } from '@casewatch/service-kit/runtime/clock';
import { withTimeout } from '@casewatch/service-kit/runtime/lifecycle';
import { defineBatchHandler, defineHandler, type EventMeta } from '../src/event-bus.ts';
import { createOutboxPublisher } from '../src/outbox-publisher.ts';
import type { BusHarness, MemberOptions } from './bus-harness.ts';
import { type Effect, SOURCES } from './events-database.ts';

/** The event of these tests: the user id is the key, the count is the number within the key. */
export const counted = userLoggedIn;
export type Counted = PayloadOf<typeof counted>;
export const bus = createOutboxPublisher({ clock: systemClock });

/** Short pauses, so that five attempts take no time. */
export const quick = { retryDelaysMs: [1, 1, 1, 1], firstPauseMs: 5, maximumPauseMs: 20 };

export async function recordEffect(
  { userId, loginCount }: Counted,
  meta: EventMeta,
  tx: SqlExecutor,
): Promise<void> {
  await tx.query('INSERT INTO effects (event_id, key, n) VALUES ($1, $2, $3)', [meta.id, userId, loginCount]);
}

/** Writes one effect per event, after `before`. */
export const recorder = (
  group: ServiceName,
  before: (payload: Counted, meta: EventMeta) => Promise<void> | void = () => undefined,
) =>
  defineHandler(group, counted, async (payload, meta, tx) => {
    await before(payload, meta);
    await recordEffect(payload, meta, tx);
  });

export const batchRecorder = (group: ServiceName, before: (payloads: readonly Counted[]) => void) =>
  defineBatchHandler(group, counted, async (events, tx) => {
    before(events.map(({ payload }) => payload));
    await tx.query(
      `INSERT INTO effects (event_id, key, n)
       SELECT * FROM jsonb_to_recordset($1::jsonb) AS e(event_id uuid, key text, n integer)`,
      [
        JSON.stringify(
          events.map(({ payload, meta }) => ({
            event_id: meta.id,
            key: payload.userId,
            n: payload.loginCount,
          })),
        ),
      ],
    );
  });

/** Publishes `1 … count` of a key, one transaction each. */
export async function publishRun(harness: BusHarness, key: string, count: number, from = 1): Promise<void> {
  for (let n = from; n < from + count; n++) await publishOne(harness, key, n);
}

export function publishOne(
  harness: BusHarness,
  key: string,
  n: number,
  source: ServiceName = SOURCES[0],
): Promise<void> {
  return harness.database.transaction(source, (tx) =>
    bus.publish(tx, counted, { userId: key, loginCount: n }),
  );
}

/** The numbers of each key in the order of their effects. */
export function perKey(effects: readonly Effect[]): Record<string, number[]> {
  const keys: Record<string, number[]> = {};
  for (const { key, n } of effects) keys[key] = [...(keys[key] ?? []), n];
  return keys;
}

export const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);

/** A promise that is settled from outside. */
export function gate() {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

/** R4: everything ever published is delivered a second time. Resolves to the effects. */
export async function replayEverything(
  harness: BusHarness,
  options: Omit<MemberOptions, 'handlers'> = {},
): Promise<Record<string, number[]>> {
  const member = await harness.startMember({
    handlers: [recorder('notifications')],
    policy: quick,
    ...options,
  });
  await Promise.all(['a', 'b', 'c'].map((key) => publishRun(harness, key, 5)));
  await member.idle();
  await member.stop();
  await harness.replay();
  const next = await harness.startMember({
    handlers: [recorder('notifications')],
    policy: quick,
    ...options,
  });
  await next.idle();
  await next.stop();
  return perKey(await harness.database.effects('notifications'));
}

/** How the effects stood while a transaction was slow to commit, and in the end. */
interface AroundACommit {
  beforeCommit: Record<string, number[]>;
  atTheEnd: Record<string, number[]>;
}

/** R3: a transaction publishes, others that began later publish and commit, then it commits. */
export async function commitLate(harness: BusHarness, waitMs?: number): Promise<AroundACommit> {
  const slow = gate();
  return aroundACommit(harness, slow, waitMs, async (publishSlowly) => {
    const late = await publishSlowly('late');
    await publishRun(harness, 'early', 20);
    return late;
  });
}

/** R3: a transaction publishes, then one on the same key and one on another; the first is slow to commit. */
export async function commitInTurn(harness: BusHarness, waitMs?: number): Promise<AroundACommit> {
  const slow = gate();
  return aroundACommit(harness, slow, waitMs, async (publishSlowly) => {
    const first = await publishSlowly('a');
    const second = publishOne(harness, 'a', 2);
    await publishOne(harness, 'b', 1);
    return { committed: Promise.all([first.committed, second]) };
  });
}

interface Slow {
  committed: Promise<unknown>;
}

async function aroundACommit(
  harness: BusHarness,
  slow: ReturnType<typeof gate>,
  waitMs = 20_000,
  publish: (publishSlowly: (key: string) => Promise<Slow>) => Promise<Slow>,
): Promise<AroundACommit> {
  const member = await harness.startMember({ handlers: [recorder('notifications')], policy: quick });
  const idle = () => withTimeout(member.idle(), waitMs, 'not idle').catch(() => undefined);
  const effects = async () => perKey(await harness.database.effects('notifications'));
  async function publishSlowly(key: string): Promise<Slow> {
    const wrote = gate();
    const committed = harness.database.transaction(SOURCES[0], async (tx) => {
      await bus.publish(tx, counted, { userId: key, loginCount: 1 });
      wrote.open();
      await slow.opened;
    });
    await wrote.opened;
    return { committed };
  }
  try {
    const { committed } = await publish(publishSlowly);
    await idle();
    const beforeCommit = await effects();
    slow.open();
    await committed;
    await idle();
    return { beforeCommit, atTheEnd: await effects() };
  } finally {
    await member.stop();
  }
}
