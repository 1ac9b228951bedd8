import type { PushMessage } from '@casewatch/contracts/push-message';
import { guidanceFor } from '@casewatch/contracts/status-guide';

/** The words of a message, with the meaning of a status in plain language. */
export function pushWords(message: PushMessage): { title: string; body: string } {
  if (message.kind !== 'status') return { title: message.title, body: message.text };
  const { name, formType, oldStatus, newStatus, receiptNumber } = message;
  const { means, isKnown } = guidanceFor(newStatus, formType);
  const lines = [
    oldStatus ? `Was: ${oldStatus}` : '',
    isKnown ? means : '',
    receiptNumber ? `Receipt number ${receiptNumber}` : '',
  ];
  return {
    title: `${name || 'Your case'}: ${newStatus}`,
    body: lines.filter((line) => line !== '').join('\n'),
  };
}
