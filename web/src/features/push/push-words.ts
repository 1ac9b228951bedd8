import type { Language } from '@casewatch/contracts/languages';
import type { PushMessage } from '@casewatch/contracts/push-message';

/** The worker's own words. Without catalogs, which only pages load. */
const WORDS = {
  was: { en: 'Was:', es: 'Antes:' },
  nextStep: { en: 'Next step:', es: 'Próximo paso:' },
  receiptNumber: { en: 'Receipt number', es: 'Número de recibo' },
  yourCase: { en: 'Your case', es: 'Su caso' },
  someChanges: { en: 'There is news about your cases.', es: 'Hay novedades sobre sus casos.' },
};

/** Returns the words of a message: which case, its new and its old status, what the new one means and, where it needs action, the next step. */
export function pushWords(message: PushMessage): { title: string; body: string } {
  if (message.kind !== 'status') return { title: message.title, body: message.text };
  const { name, oldStatus, newStatus, means, todo = '', receiptNumber, language } = message;
  // A lock screen shows the first lines: what to do comes before the rest.
  const lines = [
    todo && `${WORDS.nextStep[language]} ${todo}`,
    oldStatus ? `${WORDS.was[language]} ${oldStatus}` : '',
    means,
    receiptNumber ? `${WORDS.receiptNumber[language]} ${receiptNumber}` : '',
  ];
  return {
    title: `${name || WORDS.yourCase[language]}: ${newStatus}`,
    body: lines.filter((line) => line !== '').join('\n'),
  };
}

/** Returns what is shown of a message that can't be read. */
export const unreadableWords = (language: Language): { title: string; body: string } => ({
  title: 'Casewatch',
  body: WORDS.someChanges[language],
});
