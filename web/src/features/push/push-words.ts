import type { PushMessage } from '@casewatch/contracts/push-message';

/** The words of a message: which case, its new and its old status, and what the new one means. */
export function pushWords(message: PushMessage): { title: string; body: string } {
  if (message.kind !== 'status') return { title: message.title, body: message.text };
  const { name, oldStatus, newStatus, means, receiptNumber } = message;
  const lines = [
    oldStatus ? `Was: ${oldStatus}` : '',
    means,
    receiptNumber ? `Receipt number ${receiptNumber}` : '',
  ];
  return {
    title: `${name || 'Your case'}: ${newStatus}`,
    body: lines.filter((line) => line !== '').join('\n'),
  };
}
