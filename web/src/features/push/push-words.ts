import type { Language } from '@casewatch/contracts/languages';
import type { PushMessage } from '@casewatch/contracts/push-message';

/** The worker's own words. Without catalogs, which only pages load. */
const WORDS: Readonly<
  Record<Language, { was: string; receiptNumber: string; yourCase: string; someChanges: string }>
> = {
  en: {
    was: 'Was:',
    receiptNumber: 'Receipt number',
    yourCase: 'Your case',
    someChanges: 'There is news about your cases.',
  },
  es: {
    was: 'Antes:',
    receiptNumber: 'Número de recibo',
    yourCase: 'Su caso',
    someChanges: 'Hay novedades sobre sus casos.',
  },
};

/** Returns the words of a message: which case, its new and its old status, and what the new one means. */
export function pushWords(message: PushMessage): { title: string; body: string } {
  if (message.kind !== 'status') return { title: message.title, body: message.text };
  const { name, oldStatus, newStatus, means, receiptNumber, language } = message;
  const words = WORDS[language];
  const lines = [
    oldStatus ? `${words.was} ${oldStatus}` : '',
    means,
    receiptNumber ? `${words.receiptNumber} ${receiptNumber}` : '',
  ];
  return {
    title: `${name || words.yourCase}: ${newStatus}`,
    body: lines.filter((line) => line !== '').join('\n'),
  };
}

/** Returns what is shown of a message that can't be read. */
export const unreadableWords = (language: Language): { title: string; body: string } => ({
  title: 'Casewatch',
  body: WORDS[language].someChanges,
});
