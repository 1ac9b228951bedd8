import type { SqlExecutor } from '@casewatch/service-kit/database/sql-executor';
import { storableJson, storableText } from '@casewatch/service-kit/database/storable-json';
import { uuidV7 } from '@casewatch/service-kit/database/uuid-v7';
import type { Clock } from '@casewatch/service-kit/runtime/clock';
import { isSampled, noTracing, type Tracing } from '@casewatch/service-kit/telemetry/tracing';
import type { EventBus, EventType } from './event-bus.ts';

/** `$1` is their JSON up to the source: what the server adds to a text costs less than what it adds to parsed JSON. */
const headers = (rest: string) => `($1 || replace(current_schema(), '_', '-') || ${rest})::jsonb`;

/**
 * Inserts one event. The lock is taken before the row's `seq` is drawn and held until the transaction ends, so that the
 * events of a key are numbered in the order of their commits: PostgreSQL filters by WHERE before it computes what a row holds.
 * The source is the service whose schema this is. Every publish pays for each step here: a CTE would cost as much as an index.
 */
const INSERT_ONE = `
  INSERT INTO outbox (topic, key, headers, id, payload, created_at)
  SELECT $2, $3, ${headers(`'"}'`)}, $4::uuid, $5::jsonb, to_timestamp($6::float8)
  WHERE pg_advisory_xact_lock(hashtextextended($2 || ' ' || $3, 0)) IS NOT NULL`;

/** The same for any number of events; reading them as a set costs a single event as much as the insert itself. */
const insertMany = (lock: string) => `
  WITH event AS MATERIALIZED (
    SELECT id, key, payload, ${lock} AS locked
    FROM jsonb_to_recordset($3::jsonb) AS e(id uuid, key text, payload jsonb)
  )
  INSERT INTO outbox (topic, key, headers, id, payload, created_at)
  SELECT $2, key, ${headers(`'","ce_id":"' || id || '"}'`)}, id, payload, to_timestamp($4::float8)
  FROM event`;
const INSERT_MANY = insertMany(`pg_advisory_xact_lock(hashtextextended($2 || ' ' || key, 0))`);

/**
 * The lock table of the server has room for some thousand locks, of all its sessions together. Beyond this number of keys one
 * lock takes the place of theirs: it waits for all transactions that have published, and keeps others from publishing.
 */
const MAX_KEY_LOCKS = 1_000;
const LOCK_OUTBOX = 'LOCK TABLE outbox IN SHARE ROW EXCLUSIVE MODE';
const INSERT_INTO_LOCKED = insertMany('true');

/**
 * Publishes by writing to the outbox of the service that owns the transaction, from which a relay dispatches.
 * In a sampled trace the write is a span of its own, whose context the events carry.
 */
export function createOutboxPublisher(options: {
  clock: Clock;
  tracing?: Tracing;
  /** Called at each publish, after the commit where the transaction reports it: a hint for the relay of this process. */
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
    // PostgreSQL reads a number faster than a time as text.
    const seconds = nowMs / 1_000;
    const begun = headersToSource(event.type, nowMs, tracing.traceparent());
    const rows = payloads.map((payload) => ({
      id: uuidV7(nowMs),
      key: storableText(event.key(payload)),
      payload: event.encode(payload),
    }));
    const [first, ...others] = rows;
    if (first && others.length === 0) {
      const withId = `{"ce_id":"${first.id}",${begun.slice(1)}`;
      const values = [withId, event.name, first.key, first.id, storableJson(first.payload), seconds];
      await tx.query(INSERT_ONE, values, 'outbox_insert_one');
    } else {
      // All publishers take the locks of several keys in the same order: no deadlock between two batches.
      rows.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
      const values = [begun, event.name, storableJson(rows), seconds];
      if (new Set(rows.map(({ key }) => key)).size > MAX_KEY_LOCKS) {
        if (tx.isStatement) throw new Error(`more than ${MAX_KEY_LOCKS} keys take a transaction`);
        await tx.query(LOCK_OUTBOX, []);
        await tx.query(INSERT_INTO_LOCKED, values);
      } else {
        await tx.query(INSERT_MANY, values, 'outbox_insert_many');
      }
    }
    if (!publishing) return;
    if (tx.afterCommit) tx.afterCommit(publishing);
    else publishing();
  }
  return { publishAll, publish: (tx, event, payload) => publishAll(tx, event, [payload]) };
}

/** Returns the headers as JSON text that ends within the source. */
function headersToSource(type: string, timeMs: number, traceparent: string | undefined): string {
  const time = new Date(timeMs).toISOString();
  const trace = traceparent ? `"traceparent":${JSON.stringify(traceparent)},` : '';
  return `{"ce_specversion":"1.0","ce_type":"${type}","ce_time":"${time}","content-type":"application/json",${trace}"ce_source":"/casewatch/`;
}
