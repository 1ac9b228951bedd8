import type { TextReference } from '@casewatch/contracts/server-text';

/** A part of an answer: its text in English, and which one that is. */
export type ServerMessage = TextReference & { readonly error?: string | undefined };
/** A text of the server in another language; undefined where it stays as it is. */
export type ServerTextTranslator = (message: ServerMessage) => string | undefined;

let translate: ServerTextTranslator | undefined;

/** Comes with the texts of a language; none for English, in which the server writes. */
export function setServerTexts(translator: ServerTextTranslator | undefined): void {
  translate = translator;
}

/** Returns what a part of an answer says, in the language of the page; undefined where it says nothing. */
export function serverText(message: ServerMessage & { readonly error: string }): string;
export function serverText(message: ServerMessage): string | undefined;
export function serverText(message: ServerMessage): string | undefined {
  return translate?.(message) ?? message.error;
}
