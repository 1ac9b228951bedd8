import '@casewatch/contracts/es/texts';
import type { Messages } from '@lingui/core';

const parts = import.meta.glob<Messages>('../**/locales/es.po', { eager: true, import: 'messages' });

export const messages: Messages = Object.assign({}, ...Object.values(parts));
