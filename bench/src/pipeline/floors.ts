import { randomBytes } from 'node:crypto';
import { createKafkaClient } from '@casewatch/messaging/kafka/kafka-client';
import { createLogger } from '@casewatch/service-kit/runtime/logger';
import { Partitioners } from 'kafkajs';
import pg from 'pg';
import { Agent, request } from 'undici';

const IN_FLIGHT = 32;
const BATCH = 100;
/** As long as an event of the pipeline. */
const MESSAGE_BYTES = 300;

/** Requests a second of one client that asks for `url` and reads JSON, 32 at a time. */
export async function fetchFloor(url: string, calls: number): Promise<number> {
  const dispatcher = new Agent({ connections: IN_FLIGHT });
  let left = calls;
  const startedMs = performance.now();
  const ask = async () => {
    while (left-- > 0) await (await request(url, { dispatcher })).body.json();
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, ask));
  const perSecond = calls / ((performance.now() - startedMs) / 1_000);
  await dispatcher.close();
  return perSecond;
}

/** Checks a second of the least that a watcher can do: claim 100, fetch them side by side, write them in one statement. */
export async function batchFloor(ownerUrl: string, url: string, checks: number): Promise<number> {
  const pool = new pg.Pool({ connectionString: ownerUrl, max: 2 });
  const dispatcher = new Agent({ connections: IN_FLIGHT });
  await pool.query(
    'CREATE TABLE IF NOT EXISTS public.floor (id int PRIMARY KEY, due timestamptz, status text)',
  );
  await pool.query('CREATE INDEX IF NOT EXISTS floor_due ON public.floor (due)');
  await pool.query(
    `INSERT INTO public.floor SELECT n, now() - n * interval '1 ms', '' FROM generate_series(1, $1) AS n
     ON CONFLICT (id) DO UPDATE SET due = excluded.due`,
    [checks],
  );
  const startedMs = performance.now();
  const work = async () => {
    for (;;) {
      const { rows } = await pool.query<{ id: number }>(CLAIM, [BATCH]);
      if (rows.length === 0) return;
      const ask = async (): Promise<unknown> => (await request(url, { dispatcher })).body.json();
      const answers = await Promise.all(rows.map(ask));
      await pool.query(RECORD, [rows.map(({ id }) => id), answers.map((answer) => JSON.stringify(answer))]);
    }
  };
  await Promise.all([work(), work()]);
  const perSecond = checks / ((performance.now() - startedMs) / 1_000);
  await Promise.all([pool.end(), dispatcher.close()]);
  return perSecond;
}

const CLAIM = `
  UPDATE public.floor SET due = now() + interval '1 minute' WHERE id = ANY (ARRAY(
    SELECT id FROM public.floor WHERE due <= now() ORDER BY due LIMIT $1 FOR UPDATE SKIP LOCKED)) RETURNING id`;
const RECORD = `
  UPDATE public.floor SET due = now() + interval '1 day', status = md5(seen.answer)
  FROM unnest($1::int[], $2::text[]) AS seen (id, answer) WHERE floor.id = seen.id`;

/** Messages a second that one process produces in batches of 100 and reads back, with nothing in between. */
export async function kafkaFloor(brokers: readonly string[], messages: number): Promise<number> {
  const logger = createLogger({ level: 'error', name: 'bench' });
  const kafka = createKafkaClient({ brokers, clientId: 'casewatch-bench' }, logger);
  const topic = `bench-${randomBytes(6).toString('hex')}`;
  const admin = kafka.admin();
  const producer = kafka.producer({
    createPartitioner: Partitioners.DefaultPartitioner,
    idempotent: true,
    maxInFlightRequests: 1,
  });
  const consumer = kafka.consumer({ groupId: topic, maxWaitTimeInMs: 100 });
  await admin.connect();
  await admin.createTopics({ waitForLeaders: true, topics: [{ topic, numPartitions: 2 }] });
  await Promise.all([producer.connect(), consumer.connect()]);
  const value = randomBytes(MESSAGE_BYTES / 2).toString('hex');
  const startedMs = performance.now();
  for (let sent = 0; sent < messages; sent += BATCH) {
    const batch = Array.from({ length: BATCH }, (_, index) => ({ key: `${sent + index}`, value }));
    await producer.send({ topic, acks: -1, messages: batch });
  }
  const producedMs = performance.now() - startedMs;
  let read = 0;
  await consumer.subscribe({ topic, fromBeginning: true });
  let readFromMs = 0;
  await new Promise<void>((resolve, reject) => {
    const eachBatch = async ({ batch }: { batch: { messages: readonly unknown[] } }) => {
      readFromMs ||= performance.now();
      read += batch.messages.length;
      if (read >= messages) resolve();
    };
    consumer.run({ eachBatch }).catch(reject);
  });
  const readMs = performance.now() - readFromMs;
  await Promise.all([producer.disconnect(), consumer.disconnect()]);
  await admin.deleteTopics({ topics: [topic] });
  await admin.disconnect();
  return messages / ((producedMs + readMs) / 1_000);
}
