import type { SqlExecutor } from '@casewatch/service-kit/database/sql-executor';
import { storableJson, storableText } from '@casewatch/service-kit/database/storable-json';
import { uuidV7 } from '@casewatch/service-kit/database/uuid-v7';
import type { Clock } from '@casewatch/service-kit/runtime/clock';
import { isSampled, noTracing, type Tracing } from '@casewatch/service-kit/telemetry/tracing';
import type { EventBus, EventType } from './event-bus.ts';

const HEADERS = `$1::jsonb || jsonb_build_object('ce_source', '/casewatch/' || replace(current_schema(), '_', '-'))`;

/**
 * Inserts one event. The lock is taken before the row's `seq` is drawn and held until the transaction ends, so that the
 * events of a key are numbered in the order of their commits. The source is the service whose schema this is.
 */
const INSERT_ONE = `
  WITH event AS MATERIALIZED (
    SELECT pg_advisory_xact_lock(hashtextextended($2 || ' ' || $3, 0)) AS locked
  )
  INSERT INTO outbox (topic, key, headers, id, payload, created_at)
  SELECT $2, $3, ${HEADERS}, $4::uuid, $5::jsonb, $6::timestamptz
  FROM event`;

/** The same for any number of events; reading them as a set costs a single event as much as the insert itself. */
const insertMany = (lock: string) => `
  WITH event AS MATERIALIZED (
    SELECT id, key, payload, ${lock} AS locked
    FROM jsonb_to_recordset($3::jsonb) AS e(id uuid, key text, payload jsonb)
  )
  INSERT INTO outbox (topic, key, headers, id, payload, created_at)
  SELECT $2, key, ${HEADERS} || jsonb_build_object('ce_id', id), id, payload, $4::timestamptz
  FROM event`;
const INSERT_MANY = insertMany(`pg_advisory_xact_lock(hashtextextended($2 || ' ' || key, 0))`);

/**
 * The lock table of the server has room for some thousand locks, of all its sessions together. Beyond so many keys one
 * lock takes the place of theirs: it waits for all transactions that have published, and keeps others from publishing.
 */
const MOST_KEY_LOCKS = 1_000;
const LOCK_OUTBOX = 'LOCK TABLE outbox IN SHARE ROW EXCLUSIVE MODE';
const INSERT_INTO_LOCKED = insertMany('true');

/**
 * Publishes by writing to the outbox of the service that owns the transaction, from which a relay dispatches.
 * In a sampled trace the write is a span of its own, whose context the events carry.
 */
export function createOutboxPublisher(options: {
  clock: Clock;
  tracing?: Tracing;
  /** Called at each publish, before the commit: a hint for the relay of this process. */
  publishing?: () => void;
}): EventBus {
  const { clock, tracing = noTracing, publishing } = options;

  async function publishAll<Payload>(
    tx: SqlExecutor,
    event: EventType<Payload>,
    payloads: readonly Payload[],
  ): Promise<void> {
    if (payloads.length === 0) return;
    if (!isSampled(tracing.traceparent())) return write(tx, event, payloads);
    const attributes = {
      'messaging.destination.name': event.name,
      'messaging.batch.message_count': payloads.length,
    };
    await tracing.inSpan({ name: `outbox ${event.name}`, kind: 'internal', attributes }, () =>
      write(tx, event, payloads),
    );
  }

  async function write<Payload>(
    tx: SqlExecutor,
    event: EventType<Payload>,
    payloads: readonly Payload[],
  ): Promise<void> {
    const nowMs = clock.nowMs();
    const time = new Date(nowMs).toISOString();
    const headers = headersOf(event.type, time, tracing.traceparent());
    const rows = payloads.map((payload) => ({
      id: uuidV7(nowMs),
      key: storableText(event.key(payload)),
      payload: event.encode(payload),
    }));
    const [first, ...others] = rows;
    if (first && others.length === 0) {
      const withId = JSON.stringify({ ...headers, ce_id: first.id });
      const values = [withId, event.name, first.key, first.id, storableJson(first.payload), time];
      await tx.query(INSERT_ONE, values, 'outbox_insert_one');
    } else {
      // All publishers take the locks of several keys in the same order: no deadlock between two batches.
      rows.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
      const values = [JSON.stringify(headers), event.name, storableJson(rows), time];
      if (new Set(rows.map(({ key }) => key)).size > MOST_KEY_LOCKS) {
        await tx.query(LOCK_OUTBOX, []);
        await tx.query(INSERT_INTO_LOCKED, values);
      } else {
        await tx.query(INSERT_MANY, values, 'outbox_insert_many');
      }
    }
    publishing?.();
  }
  return { publishAll, publish: (tx, event, payload) => publishAll(tx, event, [payload]) };
}

function headersOf(type: string, time: string, traceparent: string | undefined) {
  return {
    ce_specversion: '1.0',
    ce_type: type,
    ce_time: time,
    'content-type': 'application/json',
    ...(traceparent ? { traceparent } : {}),
  };
}
