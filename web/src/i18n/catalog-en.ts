import type { Messages } from '@lingui/core';

const parts = import.meta.glob<Messages>('../**/locales/en.po', { eager: true, import: 'messages' });

export const messages: Messages = Object.assign({}, ...Object.values(parts));
export const url = import.meta.url;
