/** The agency's answers have four levels. */
const DEEPEST = 20;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Parses JSON that is nested at most 20 levels deep: deeper text costs a scan, not a parse. Never throws. */
export function parseJson(text: string): { value: unknown } | { fault: string } {
  if (isDeeper(text, DEEPEST)) return { fault: `JSON nested more than ${DEEPEST} levels deep` };
  try {
    return { value: JSON.parse(text) };
  } catch {
    return { fault: 'not JSON' };
  }
}

function isDeeper(text: string, limit: number): boolean {
  if (!hasMoreOpeningBrackets(text, limit)) return false;
  let depth = 0;
  let inString = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (inString && code === BACKSLASH) at += 1;
    else if (code === QUOTE) inString = !inString;
    else if (inString) continue;
    else if (code === 0x5b || code === 0x7b) depth += 1;
    else if (code === 0x5d || code === 0x7d) depth -= 1;
    if (depth > limit) return true;
  }
  return false;
}

/** Real answers have few: `indexOf` finds them much faster than a loop over all characters. */
function hasMoreOpeningBrackets(text: string, limit: number): boolean {
  let left = limit;
  for (const bracket of ['{', '[']) {
    for (let at = text.indexOf(bracket); at !== -1; at = text.indexOf(bracket, at + 1)) {
      if (left === 0) return true;
      left -= 1;
    }
  }
  return false;
}
