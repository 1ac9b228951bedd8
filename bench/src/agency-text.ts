import { htmlToText } from '@casewatch/cases/agency/html-to-text';

import { parseJson, readStatusReply } from '@casewatch/cases/agency/read-reply';

/**
 * `npm run bench:agency-text`: converts 100 kB and 1 MB of each hostile shape of HTML in turn and prints the ratio of
 * the medians of processor time with its spread; then reads whole answers of the largest size that is accepted. Ends with 1 when a
 * ratio or the longest time without a pause is above its goal.
 */
const ROUNDS = Number(process.env.ROUNDS ?? 7);
const WARM_UP = 2;
/** Processor time is counted in steps of some milliseconds: a measurement takes at least so long. */
const MIN_MS = 100;
const SMALL = 100_000;
const LARGE = 1_000_000;
const GOAL = { ratio: 12, longestMs: 50 };
const LARGEST_BODY = 128 * 1024;
const RECEIPT = 'EAC9999103403';
const HOSTS = ['uscis.gov'];

const SHAPES: Readonly<Record<string, string>> = {
  'one word': 'x',
  '<': '<',
  '<<<<a': '<<<<a ',
  '&': '&',
  '&amp;': '&amp;',
  '&#9 without end': '&#9',
  '&amp;lt;b&amp;gt; (escaped twice)': '&amp;lt;b&amp;gt;',
  '<b> never closed': '<b>',
  '<i></b>': '<i></b>',
  'nested tables': '<table><tr><td>x',
  'nested forms': '<form>',
  'tags without end': '<a ',
  'attributes without end': '<a href="x',
  'attributes of one tag': ' x=y',
  'comments without end': '<!--',
  'CDATA without end': '<![CDATA[',
  links: '<a href="https://www.uscis.gov/">x</a>',
  'links within links': '<a href="https://www.uscis.gov/">x',
  'svg never closed': '<svg>',
  'scripts within scripts': '<script><',
  NUL: '\0',
  'direction marks': '\u202E',
  'white space': ' \n',
};

const filled = (piece: string, length: number) =>
  (piece === ' x=y' ? '<a' : '') + piece.repeat(Math.ceil(length / piece.length)).slice(0, length);
const median = (values: readonly number[]) =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
let missed = false;

const cpuBefore = process.cpuUsage();
console.log(
  '| shape | 100 kB, CPU ms | 1 MB, CPU ms | ratio (least-most of the rounds) |\n|---|---|---|---|',
);
for (const [name, piece] of Object.entries(SHAPES)) {
  const small = filled(piece, SMALL);
  const large = filled(piece, LARGE);
  const repeats = Math.ceil(
    MIN_MS /
      Math.max(
        1,
        timed(() => htmlToText(large, HOSTS), 2),
      ),
  );
  const times: { small: number[]; large: number[] } = { small: [], large: [] };
  for (let round = 0; round < WARM_UP + ROUNDS; round += 1) {
    // Ten times as many of the small one, so that both take about as long and make as much garbage.
    const smallMs = timed(() => htmlToText(small, HOSTS), 10 * repeats);
    const largeMs = timed(() => htmlToText(large, HOSTS), repeats);
    if (round < WARM_UP) continue;
    times.small.push(smallMs);
    times.large.push(largeMs);
  }
  const ratio = median(times.large) / median(times.small);
  const ratios = times.large.map((ms, nth) => ms / (times.small[nth] ?? Number.NaN));
  missed ||= ratio > GOAL.ratio;
  console.log(
    `| \`${name}\` | ${median(times.small).toFixed(2)} | ${median(times.large).toFixed(1)} | ${ratio.toFixed(1)} (${Math.min(...ratios).toFixed(1)}-${Math.max(...ratios).toFixed(1)}) |`,
  );
}

console.log('\n| answer of 128 kB | median CPU ms | most CPU ms |\n|---|---|---|');
for (const [name, body] of Object.entries(largestAnswers())) {
  const reply = { kind: 'answer', status: 200, isHtml: false, isUtf8: true, body } as const;
  const times = Array.from({ length: WARM_UP + ROUNDS }, () =>
    timed(() => readStatusReply(reply, RECEIPT, HOSTS), 10),
  ).slice(WARM_UP);
  missed ||= median(times) > GOAL.longestMs;
  console.log(`| ${name} | ${median(times).toFixed(1)} | ${Math.max(...times).toFixed(1)} |`);
}
console.log('\n| what 1 MB of JSON would cost | CPU ms |\n|---|---|');
const deep = `${'['.repeat(LARGE / 2)}${']'.repeat(LARGE / 2)}`;
for (const [name, work] of [
  ['500,000 levels, JSON.parse', () => JSON.parse(deep)],
  ['500,000 levels, refused by depth', () => parseJson(deep)],
] as const) {
  console.log(`| ${name} | ${median(Array.from({ length: ROUNDS }, () => timed(work, 5))).toFixed(1)} |`);
}
const { user, system } = process.cpuUsage(cpuBefore);
console.log(`\nProcessor time of the run: ${((user + system) / 1e6).toFixed(1)} s, ${ROUNDS} rounds.`);
console.log(
  `Goals: ratio at most ${GOAL.ratio}, ${GOAL.longestMs} ms an answer: ${missed ? 'MISSED' : 'met'}.`,
);
process.exitCode = missed ? 1 : 0;

/** Bodies as large as the client reads, accepted ones and refused ones. */
function largestAnswers(): Record<string, string> {
  const entry = (title: string) => ({ date: '2024-01-05', completed_text_en: title });
  const answer = (description: string, titles: readonly string[], more: object = {}) =>
    JSON.stringify({
      case_status: {
        receiptNumber: RECEIPT,
        current_case_status_text_en: 'Case Was Approved',
        current_case_status_desc_en: description,
        hist_case_status: titles.map(entry),
      },
      ...more,
    });
  const titles = (piece: string) => new Array<string>(220).fill(`x${piece.repeat(500 / piece.length)}`);
  return {
    'accepted: 220 titles of 500 `&`, a description of 20,000 `<`': answer('<'.repeat(20_000), titles('&')),
    'accepted: 220 titles of tags': answer('<b>'.repeat(6_000), titles('<b></i>')),
    'refused: six titles of 20,000 `<`': answer('', new Array<string>(6).fill('<'.repeat(20_000))),
    'refused: history of 14,000 small entries': answer('', []).replace(
      '[]',
      `[${'{"a":1},'.repeat(14_000)}{"a":1}]`,
    ),
    'refused: 50 levels': answer('', [], { deep: JSON.parse(`${'['.repeat(50)}${']'.repeat(50)}`) }),
    'refused: 10,000 unknown names': `{${Array.from({ length: 10_000 }, (_, nth) => `"n${nth}":1`).join(',')}}`,
    'refused: one word of 128 kB': JSON.stringify('x'.repeat(LARGEST_BODY - 2)),
  };
}

/** Returns the processor time of this thread for one of `times` runs, in ms: other work on the machine does not count. */
function timed(work: () => unknown, times: number): number {
  const before = process.threadCpuUsage();
  for (let nth = 0; nth < times; nth += 1) work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1e3 / times;
}
