import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startEmbeddedPostgres } from '@casewatch/dev-stack/postgres/embedded-postgres';
import { migrate } from '@casewatch/service-definition/migrate';
import { serviceUrl } from '@casewatch/service-kit/database/service-url';
import { systemClock } from '@casewatch/service-kit/runtime/clock';
import { createLogger } from '@casewatch/service-kit/runtime/logger';
import { openDatabase } from '@casewatch/surveys/data/open-database';
import { listPending } from '@casewatch/surveys/domain/pending-surveys';
import { surveyResults } from '@casewatch/surveys/domain/survey-results';
import { service } from '@casewatch/surveys/service';
import pg from 'pg';

/**
 * `npm run bench:surveys`: the admins' list, the results of a survey, a page of texts and what is pending for a person,
 * with 1,000 surveys and 100,000 responses beside 10 surveys and 1,000 responses (100 each; five questions, three of
 * them choices), and beside one survey that has 100,000 responses alone. Calls are interleaved in one run.
 */
const SIZES = [
  { name: '10 surveys, 1,000 responses', surveys: 10, people: 100 },
  { name: '1,000 surveys, 100,000 responses', surveys: 1_000, people: 100 },
  { name: '1 survey, 100,000 responses', surveys: 1, people: 100_000 },
] as const;
const CALLS = ['list', 'results', 'texts', 'pending'] as const;
const ROUNDS = Number(process.env.ROUNDS ?? 60);
const WARM_UP = 10;

const folder = mkdtempSync(path.join(tmpdir(), 'casewatch-bench-'));
const roleSecret = randomBytes(16).toString('hex');
const logger = createLogger({ level: 'error', name: 'bench' });
const server = await startEmbeddedPostgres({ dataDir: path.join(folder, 'pg'), password: roleSecret });
const stops: (() => Promise<void>)[] = [];
try {
  const sets = [];
  for (const size of SIZES) sets.push(await createSet(size));
  for (let round = 0; round < WARM_UP; round++) for (const { measure } of sets) await measure(round);
  const timings = sets.map(({ name }) => ({ name, all: [] as Timing[] }));
  for (let round = 0; round < ROUNDS; round++) {
    for (const [index, { measure }] of sets.entries()) timings[index]?.all.push(await measure(round));
  }
  print(timings);
} finally {
  for (const stop of stops.reverse()) await stop();
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
}

type Timing = Record<(typeof CALLS)[number], number>;

async function createSet({ name, surveys, people }: (typeof SIZES)[number]) {
  const ownerUrl = new URL(server.ownerUrl);
  const database = `surveys_${surveys}_${people}`;
  await onDatabase(ownerUrl.href, `CREATE DATABASE ${database}`);
  ownerUrl.pathname = `/${database}`;
  await migrate({ ownerUrl: ownerUrl.href, services: [service], roleSecret, logger });
  await fill(ownerUrl.href, surveys, people);
  const { store, close } = openDatabase({
    url: serviceUrl(ownerUrl.href, 'surveys', roleSecret),
    maximum: 4,
    logger,
    bus: { publish: async () => undefined, publishAll: async () => undefined },
  });
  stops.push(close);
  const listed = await store.surveys.listAll();
  const one = (round: number) => {
    const found = listed[(round * 7) % listed.length];
    const question = found?.questions[0];
    if (!found || !question) throw new Error('the set is empty');
    return { surveyId: found.survey.id, textQuestionId: question.id };
  };
  const surveysService = { store, clock: systemClock };
  return {
    name,
    async measure(round: number): Promise<Timing> {
      const { surveyId, textQuestionId } = one(round);
      return {
        list: await timed(() => store.surveys.listAll()),
        results: await timed(() => surveyResults(surveysService, surveyId)),
        texts: await timed(() => store.results.texts(textQuestionId, { limit: 50 })),
        pending: await timed(() => listPending(surveysService, crypto.randomUUID())),
      };
    },
  };
}

/** Two questions of text, then three choices; one survey in fifty is active, and every tenth person skips. */
async function fill(url: string, surveys: number, people: number): Promise<void> {
  const surveyId = `md5('s' || s)::uuid`;
  await onDatabase(
    url,
    `INSERT INTO surveys.surveys SELECT ${surveyId}, 'Survey ' || s, 'What do you think?', s % 50 = 1, NULL, NULL,
       'weekly', 1, 1, now() - s * interval '1 hour', now() FROM generate_series(1, ${surveys}) AS s`,
    `INSERT INTO surveys.questions SELECT md5('q' || s || '-' || q)::uuid, ${surveyId}, 'Question ' || q,
       CASE WHEN q <= 2 THEN 'text' WHEN q = 5 THEN 'checkbox' ELSE 'radio' END,
       CASE WHEN q <= 2 THEN '{}'::text[] ELSE ARRAY['Very', 'Somewhat', 'Hardly', 'Not at all'] END, q, true, now()
     FROM generate_series(1, ${surveys}) AS s, generate_series(1, 5) AS q`,
    `INSERT INTO surveys.trackings SELECT md5('p' || s || '-' || p)::uuid, ${surveyId}, now(), 1, p <= ${people}, now()
     FROM generate_series(1, ${surveys}) AS s, generate_series(1, ${Math.round(people * 1.1)}) AS p`,
    `INSERT INTO surveys.responses SELECT gen_random_uuid(), ${surveyId}, md5('q' || s || '-' || q)::uuid,
       md5('p' || s || '-' || p)::uuid, CASE WHEN q <= 2 THEN 'It works well for me, thank you. ' || p END,
       CASE WHEN q <= 2 THEN '{}'::text[] WHEN q = 5 THEN ARRAY['Very', 'Hardly']
            ELSE ARRAY[(ARRAY['Very', 'Somewhat', 'Hardly', 'Not at all'])[1 + p % 4]] END,
       now() - p * interval '1 minute'
     FROM generate_series(1, ${surveys}) AS s, generate_series(1, ${people}) AS p, generate_series(1, 5) AS q`,
    'VACUUM ANALYZE surveys.surveys, surveys.questions, surveys.trackings, surveys.responses',
  );
}

async function onDatabase(url: string, ...statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startMs = performance.now();
  await work();
  return performance.now() - startMs;
}

function print(sets: readonly { name: string; all: readonly Timing[] }[]): void {
  console.log('| p50 / p95 ms (p50 as a ratio to the first row) | list | results | texts | pending |');
  console.log('|---|---|---|---|---|');
  for (const { name, all } of sets) {
    const cells = CALLS.map((call) => {
      const of = (timings: readonly Timing[] = [], part: number) =>
        percentile(
          timings.map((timing) => timing[call]),
          part,
        );
      const ratio = of(all, 0.5) / of(sets[0]?.all, 0.5);
      return `${of(all, 0.5).toFixed(1)} / ${of(all, 0.95).toFixed(1)} (${ratio.toFixed(1)})`;
    });
    console.log(`| ${name} | ${cells.join(' | ')} |`);
  }
}

function percentile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}
