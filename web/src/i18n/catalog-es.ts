// The status guide, the names of statuses and the plan's words.
import '@casewatch/contracts/es/texts';
import { officeText, serverText } from '@casewatch/contracts/server-text';
import type { Messages } from '@lingui/core';
import type { ServerTextTranslator } from '../lib/server-texts.ts';

const parts = import.meta.glob<Messages>('../**/locales/es.po', { eager: true, import: 'messages' });

export const messages: Messages = Object.assign({}, ...Object.values(parts));
/** Of a fact of a case the agency may have words of its own: those stay. */
export const serverTexts: ServerTextTranslator = (message) => {
  const [, kind, value = ''] = /^(phase|office)-(.*)/.exec(String(message.messageKey)) ?? [];
  const text = kind === 'office' ? officeText(value) : message;
  return kind && serverText('en', text) !== message.error ? undefined : serverText('es', text);
};
export const url = import.meta.url;
