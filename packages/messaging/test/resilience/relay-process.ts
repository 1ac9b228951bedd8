import { schemaOf } from '@casewatch/service-kit/database/service-url';
import { systemClock } from '@casewatch/service-kit/runtime/clock';
import pg from 'pg';
import { pino } from 'pino';
import { startOutboxRelay } from '../../src/outbox-relay.ts';

/**
 * A relay in a process of its own. Its sink appends to a table, one event after another as a broker's producer does. Arguments: URL of the source, URL of the schema that holds the table.
 */
const [source = '', sink = ''] = process.argv.slice(2);
const client = new pg.Client({
  connectionString: sink,
  options: `-c search_path=${schemaOf('notifications')}`,
});
await client.connect();
let last = Promise.resolve();
startOutboxRelay({
  service: 'billing',
  databaseUrl: source,
  clock: systemClock,
  logger: pino({ level: 'silent' }),
  retentionMs: 86_400_000,
  window: 200,
  dispatch: ({ key, payload }) => {
    last = last.then(async () => {
      await client.query(
        `INSERT INTO arrivals (relay, key, n) VALUES ($1, $2, ($3::jsonb ->> 'loginCount')::int)`,
        [process.pid, key, JSON.stringify(payload)],
      );
    });
    return last;
  },
});
