import { createServer } from 'node:http';
import { createCaseExports, exportColumns } from '@casewatch/cases/data/case-exports';
import { exportCsv, exportNdjson } from '@casewatch/cases/domain/export-cases';
import { sendPieces } from '@casewatch/service-kit/http/send-pieces';
import { createLogger } from '@casewatch/service-kit/runtime/logger';
import pg from 'pg';

/** What `bench:export` measures, in a process of its own: exports over HTTP, and a cursor that reads the same and does no more. */
const pool = new pg.Pool({ connectionString: process.env.DATABASE, options: '-c search_path=cases', max: 2 });
const store = createCaseExports(pool);
const logger = createLogger({ level: 'error', name: 'bench' });
const FETCH_ROWS = 100;

const server = createServer((req, res) => {
  const [, what = '', userId = ''] = (req.url ?? '').split('/');
  const selection = { userId };
  if (what === 'csv') {
    void sendPieces(
      exportCsv(store, selection, { content: 'history', timeZone: 'America/New_York' }),
      res,
      logger,
    );
  } else if (what === 'ndjson') void sendPieces(exportNdjson(store, selection), res, logger);
  else void readWithCursor(userId).then((entries) => res.end(String(entries)));
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  console.log(`port ${typeof address === 'object' ? address?.port : ''}.`);
});

async function readWithCursor(userId: string): Promise<number> {
  const client = await pool.connect();
  let entries = 0;
  try {
    await client.query('BEGIN');
    await client.query(
      `DECLARE bare CURSOR FOR SELECT ${exportColumns(true)} FROM saved_cases AS stored
       WHERE user_id = '${userId}' ORDER BY created_at DESC, id DESC`,
    );
    for (;;) {
      const { rows } = await client.query<{ observations: unknown[] | null }>(
        `FETCH ${FETCH_ROWS} FROM bare`,
      );
      for (const { observations } of rows) entries += observations?.length ?? 0;
      if (rows.length < FETCH_ROWS) break;
    }
    await client.query('COMMIT');
    return entries;
  } finally {
    client.release();
  }
}
