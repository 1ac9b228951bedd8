/** A text of the server in another language; undefined where it stays as it is. */
export type ServerTextTranslator = (text: string, code: string | undefined) => string | undefined;

let translate: ServerTextTranslator | undefined;

/** Comes with the texts of a language; none for English, in which the server writes. */
export function setServerTexts(translator: ServerTextTranslator | undefined): void {
  translate = translator;
}

/**
 * Returns what the server says, or a schema of the contracts does, in the language of the page. A text that is not known by its
 * words is known by its error code, where it has one.
 */
export function serverText(text: string, code?: string): string {
  return translate?.(text, code) ?? text;
}
