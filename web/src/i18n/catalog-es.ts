// The status guide, the names of statuses and the plan's words.
import '@casewatch/contracts/es/texts';
import type { Messages } from '@lingui/core';

const parts = import.meta.glob<Messages>('../**/locales/es.po', { eager: true, import: 'messages' });

export const messages: Messages = Object.assign({}, ...Object.values(parts));
export { spanishServerText as serverTexts } from './server-texts-es.ts';
export const url = import.meta.url;
