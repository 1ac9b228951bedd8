import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type AgencyAnswer, type AgencyReply, textReply } from './agency-reply.ts';

/** Answers 200 whose history alone is hostile: the status next to it is right. */
export const HOSTILE_HISTORY_MODES = ['angle-brackets', 'long-history'] as const;
/** Answers 200 that are meant to exhaust the reader or to slip something past it; none but those may become a status. */
export const HOSTILE_MODES = [
  'deeply-nested',
  'huge',
  'endless',
  'huge-headers',
  'wrong-charset',
  'nul-bytes',
  ...HOSTILE_HISTORY_MODES,
] as const;
export type HostileMode = (typeof HOSTILE_MODES)[number];

const LEVELS = 50_000;
const HUGE_CHARACTERS = 2_000_000;
const HEADER_CHARACTERS = 64_000;
const BRACKETS = '<'.repeat(20_000);
const ENTRIES = 5_000;

/** @param truth what would be answered without the fault; a hostile answer is made of it */
export function hostileReply(mode: HostileMode, truth: object): AgencyReply {
  switch (mode) {
    case 'deeply-nested':
      return withField(truth, `${'['.repeat(LEVELS)}${']'.repeat(LEVELS)}`);
    case 'huge':
      return withField(truth, JSON.stringify('x'.repeat(HUGE_CHARACTERS)));
    case 'endless':
      return 'endless';
    case 'huge-headers':
      return {
        ...textReply(200, JSON.stringify(truth)),
        headers: { 'X-Hostile': 'x'.repeat(HEADER_CHARACTERS) },
      };
    case 'wrong-charset': {
      const body = Buffer.from(JSON.stringify({ ...truth, note: 'aprobó' }), 'latin1');
      return { status: 200, contentType: 'application/json; charset=iso-8859-1', body };
    }
    case 'nul-bytes':
      return withField(truth, '"\0"');
    case 'angle-brackets':
      return withHistory(truth, new Array(5).fill(BRACKETS));
    case 'long-history':
      return withHistory(truth, new Array(ENTRIES).fill('Case Was Received'));
  }
}

/**
 * Returns a body that begins as JSON and never ends; as fast as the reader takes it. A chunk per turn of the event loop: megabytes would
 * fill the socket's buffers before a reader in the same process, or anything else there, has a turn.
 */
export function endlessBody(): Readable {
  const chunk = '{"endless":'.repeat(2_000);
  return Readable.from(
    (async function* () {
      for (;;) {
        yield chunk;
        await nextTurn();
      }
    })(),
  );
}

/** The document with one more field, first, whose value is this JSON text. */
function withField(truth: object, json: string): AgencyAnswer {
  return textReply(200, `{"note":${json},${JSON.stringify(truth).slice(1)}`);
}

function withHistory(truth: object, titles: readonly string[]): AgencyAnswer {
  const entries = titles.map((title) => ({ date: '2024-01-05', completed_text_en: title }));
  const replace = (key: string, value: unknown) => (key === 'hist_case_status' ? entries : value);
  return textReply(200, JSON.stringify(truth, replace));
}
