import { CODE_TEXTS, FACT_TEXTS, REASON_TEXTS } from './answer-texts.ts';
import { FIELD_TEXTS } from './field-texts.ts';
import type { Language } from './languages.ts';

const TEXTS = { ...FIELD_TEXTS, ...CODE_TEXTS, ...REASON_TEXTS, ...FACT_TEXTS };

/** Names a text that the server says. */
export type TextKey = keyof typeof TEXTS;
/** What fills the `{names}` in a text; `{wait}` is made of `seconds`. */
export type TextValues = Readonly<Record<string, string | number>>;

/** Which text a part of an answer holds in English: that of `messageKey`, else that of `code`; of any version of the server. */
export interface TextReference {
  readonly code?: unknown;
  readonly messageKey?: unknown;
  /** `TextValues` */
  readonly values?: unknown;
}

/** Returns a text of the server in a language; undefined for a key and a code that are not known here. */
export function serverText(
  language: Language,
  { code, messageKey, values }: TextReference,
): string | undefined {
  const key = [messageKey, code].find(isTextKey);
  if (key === undefined) return undefined;
  const given = new Map<string, unknown>(Object.entries(values ?? {}));
  return TEXTS[key][language].replace(/\{(\w+)\}/g, (_, name: string) =>
    name === 'wait' ? waitText(language, Number(given.get('seconds'))) : String(given.get(name) ?? ''),
  );
}

export function isTextKey(key: unknown): key is TextKey {
  return typeof key === 'string' && Object.hasOwn(TEXTS, key);
}

/** Names the office where a case was filed, by the prefix of its receipt number. Unknown prefixes are allowed. */
export function officeText(prefix: string): TextReference {
  return { messageKey: `office-${prefix}`, code: 'office-other', values: { prefix } };
}

/** Rounded up, so that no client comes back too early. */
function waitText(language: Language, seconds: number): string {
  const minutes = Math.max(1, Math.ceil(seconds / 60));
  const [amount, unit] = minutes >= 120 ? [Math.ceil(minutes / 60), 'hour'] : [minutes, 'minute'];
  return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(amount);
}
