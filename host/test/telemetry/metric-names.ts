/** Names of the metrics with values in an answer of `/metrics`; of a histogram, those of its three series. */
export function exportedNames(text: string): Set<string> {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Set(lines.map((line) => line.split(/[{ ]/, 1)[0] ?? ''));
}

/** What a scraper adds by itself. */
const OF_THE_SCRAPER = new Set(['up']);
const WORD = /[a-z_:][a-z0-9_:]*/gi;
/** PromQL's own words, where they stand for no metric. */
const LANGUAGE = new Set(
  'and or unless group label_replace last_over_time deriv round by without on ignoring group_left group_right offset bool sum rate increase changes max min avg count absent irate min_over_time max_over_time avg_over_time sum_over_time histogram_quantile topk clamp_min le vector inf nan time'.split(
    ' ',
  ),
);

/** The metrics that a PromQL expression names. */
export function namesIn(expression: string): string[] {
  const bare = expression
    .replaceAll(/"[^"]*"/g, '')
    .replaceAll(/\{[^}]*\}/g, '')
    .replaceAll(/\[[^\]]*\]/g, '')
    .replaceAll(/\boffset \w+/g, '')
    .replaceAll(/\b(?:by|without|on|ignoring|group_left|group_right)\s*\([^)]*\)/g, '');
  const words = bare.match(WORD) ?? [];
  // With a colon: what the rules record.
  return [...new Set(words)].filter(
    (word) => !LANGUAGE.has(word.toLowerCase()) && !OF_THE_SCRAPER.has(word) && !word.includes(':'),
  );
}
