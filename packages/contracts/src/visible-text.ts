/**
 * Which invisible characters a line of text may have. Invisible ones make two names look the same, and bidirectional
 * controls turn the text around them; yet some scripts can't be written without joiners, and emoji neither. So, after
 * RFC 5892 (appendix A.1 and A.2) and UTS 51, an invisible character is allowed only where it has something to join or
 * to choose a form of. The classes are ranges; a test compares them with Unicode's own. The OpenAPI document only describes
 * the rule: no client in another language could do much with the pattern.
 */

/** Default_Ignorable_Code_Point, Bidi_Control, separators of lines, annotations, and the blank of Braille. */
const INVISIBLE =
  '\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f\\u2800\\u3164' +
  `\\ufe00-\\ufe0f\\ufeff\\uffa0\\ufff0-\\ufffb${astral(0x1bca0, 0x1bca3)}${astral(0x1d173, 0x1d17a)}${astral(0xe0000, 0xe0fff)}`;

const JOINERS = '\\u200c\\u200d';
/** Arabic, Syriac and their kin, the scripts of India, Sinhala, Myanmar and Khmer: their letters and marks. */
const JOINING =
  '\\u0620-\\u06dc\\u06de-\\u070e\\u0710-\\u07ff\\u0840-\\u08e1\\u08e3-\\u094c\\u094e-\\u09cc\\u09ce-\\u0a4c\\u0a4e-\\u0acc\\u0ace-\\u0b4c' +
  '\\u0b4e-\\u0bcc\\u0bce-\\u0c4c\\u0c4e-\\u0ccc\\u0cce-\\u0d4c\\u0d4e-\\u0dc9\\u0dcb-\\u0dff\\u1000-\\u1038\\u103b-\\u109f\\u1780-\\u17b3' +
  '\\u17b6-\\u17d1\\u17d3-\\u17dd';
/** They end a vowel; a joiner after one chooses a form also at the end of a word. */
const VIRAMAS = '\\u094d\\u09cd\\u0a4d\\u0acd\\u0b4d\\u0bcd\\u0c4d\\u0ccd\\u0d4d\\u0dca\\u1039\\u103a\\u17d2';
const MONGOLIAN = '\\u1820-\\u18aa';
const MONGOLIAN_FORMS = '\\u180b-\\u180f\\u200d';
const HAN = `\\u3400-\\u9fff\\uf900-\\ufaff${astral(0x20000, 0x3ffff)}`;
const HAN_FORMS = `\\ufe00-\\ufe0f${astral(0xe0100, 0xe01ef)}`;
const EMOJI = `#*0-9\\u00a9\\u00ae\\u203c\\u2049\\u2122\\u2139\\u2190-\\u27ff\\u2900-\\u2bff\\u3030\\u303d\\u3297\\u3299${astral(0x1f000, 0x1faff)}`;
const EMOJI_FORMS = '\\ufe0e\\ufe0f';

const EMOJI_SEQUENCE = `[${EMOJI}][${EMOJI_FORMS}]?(?:\\u200d[${EMOJI}][${EMOJI_FORMS}]?)*`;
/** No character begins two of these, so that a text is matched in one pass. */
const SEQUENCES = [
  `[${JOINING}](?:[${JOINERS}][${JOINING}])*(?:[${JOINERS}][${VIRAMAS}][${JOINERS}]?)?`,
  `[${VIRAMAS}][${JOINERS}]?`,
  `[${MONGOLIAN}][${MONGOLIAN_FORMS}]?`,
  `[${HAN}][${HAN_FORMS}]?`,
  EMOJI_SEQUENCE,
].join('|');
const OTHERS = `${INVISIBLE}${JOINING}${VIRAMAS}${MONGOLIAN}${HAN}${EMOJI}`;

/** Returns the pattern of a text without stray invisible characters and without those of `bad`, the inside of a character class. */
export function visiblePattern(bad: string): string {
  return `^(?:[^${OTHERS}${bad}]|${SEQUENCES})*$`;
}

/** Characters above U+FFFF as themselves: no escape for them is known to every language's patterns. */
function astral(first: number, last: number): string {
  return `${String.fromCodePoint(first)}-${String.fromCodePoint(last)}`;
}
