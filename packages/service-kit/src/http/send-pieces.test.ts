import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { sendPieces } from './send-pieces.ts';

async function* piecesThen(end: () => void): AsyncGenerator<string> {
  yield 'one\n';
  yield 'two\n';
  end();
}

function output() {
  const logged: unknown[] = [];
  const logger = pino({ level: 'error' }, { write: (line) => void logged.push(JSON.parse(line)) });
  return { out: new PassThrough(), logger, logged };
}

test('all pieces reach the reader, and the end', async () => {
  const { out, logger, logged } = output();
  const [sent] = await Promise.all([
    text(out),
    sendPieces(
      piecesThen(() => undefined),
      out,
      logger,
    ),
  ]);
  expect([sent, logged]).toEqual(['one\ntwo\n', []]);
});

test('a failure closes the connection before the end, and is logged', async () => {
  const { out, logger, logged } = output();
  const fail = () => {
    throw new Error('the database is unavailable');
  };
  const reading = text(out);
  await Promise.all([
    expect(reading).rejects.toThrow('the database is unavailable'),
    sendPieces(piecesThen(fail), out, logger),
  ]);
  expect(logged).toMatchObject([{ level: 50, err: { message: 'the database is unavailable' } }]);
});

test('a reader that disconnects is nothing to log', async () => {
  const { out, logger, logged } = output();
  out.once('data', () => out.destroy());
  await sendPieces(
    piecesThen(() => undefined),
    out,
    logger,
  );
  expect([out.destroyed, logged]).toEqual([true, []]);
});
