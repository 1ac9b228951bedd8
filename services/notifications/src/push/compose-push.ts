import { createHmac } from 'node:crypto';
import '@casewatch/contracts/es/texts';
import type { Language } from '@casewatch/contracts/languages';
import { needsAction } from '@casewatch/contracts/needs-action';
import { NOTIFICATION_PAGE } from '@casewatch/contracts/notifications';
import { planWords } from '@casewatch/contracts/plan-words';
import type { PushMessage } from '@casewatch/contracts/push-message';
import { guidanceFor, statusName } from '@casewatch/contracts/status-guide';
import type { Clock } from '@casewatch/service-kit/runtime/clock';
import type { Push, PushTarget } from '../domain/send-push.ts';
import type { DuePush, KnownCase, PushComposer } from '../domain/status-pushes.ts';
import { dayIn } from '../mail/compose-mail.ts';
import { oneLine } from '../mail/letter.ts';

/** Of the message that a user asks for to try it. */
const TEST_WORDS: Readonly<Record<Language, { title: string; text: string }>> = {
  en: {
    title: 'Push notifications work',
    text: 'Casewatch will notify you on this device when the status of a case changes.',
  },
  es: {
    title: 'Las notificaciones funcionan',
    text: 'Casewatch le avisará en este dispositivo cuando cambie el estado de un caso.',
  },
};
/** Characters of a text that others wrote: three of them stay below the limit of a message in any script. */
const TEXT_MAX = 160;
const TEST_TTL_SECONDS = 60;

interface Parts {
  /** Makes topics that say nothing to the push service. */
  secret: string;
  /** A message is kept for a device that is off as long as it would be tried again. */
  giveUpMs: number;
  clock: Clock;
}

/**
 * Writes the messages to devices. They hold no receipt number unless its user allows it for the device, since they are read on
 * lock screens; so the link names the notification, which leads its owner to the case.
 */
export function createPushComposer({ secret, giveUpMs, clock }: Parts) {
  /** The same for all messages about a case to a device: 32 characters, the most that a topic may have (RFC 8030, section 5.4). */
  function topicOf(device: PushTarget, about: string): string {
    return createHmac('sha256', secret)
      .update(`push topic\n${device.id}\n${about}`)
      .digest('base64url')
      .slice(0, 32);
  }

  const compose: PushComposer = (due, known) => {
    const { device, subject, notificationId, queuedAtMs } = due;
    const topic = topicOf(device, subject.kind === 'plan' ? 'plan' : subject.receiptNumber);
    const every = { id: notificationId, tag: topic, at: due.createdAt.getTime(), language: device.language };
    const isUrgent =
      subject.kind === 'plan' ? subject.milestone !== 'pro-returned' : needsAction(subject.newStatus);
    return {
      target: device,
      payload: asJson({ ...every, ...contentOf(due, known) }),
      ttlSeconds: Math.max(60, Math.round((queuedAtMs + giveUpMs - clock.nowMs()) / 1_000)),
      urgency: isUrgent ? 'high' : 'normal',
      topic,
    };
  };

  function composeTest(device: PushTarget, nowMs: number): Push {
    const topic = topicOf(device, 'test');
    const message: PushMessage = {
      kind: 'test',
      id: `test-${nowMs}`,
      tag: topic,
      at: nowMs,
      path: '/profile',
      language: device.language,
      ...TEST_WORDS[device.language],
    };
    return { target: device, payload: asJson(message), ttlSeconds: TEST_TTL_SECONDS, urgency: 'high', topic };
  }

  return { compose, composeTest };
}

function contentOf({ subject, notificationId, device }: DuePush, { nickname, formType }: KnownCase) {
  const { language } = device;
  if (subject.kind === 'plan') {
    const { title, text, action } = planWords(subject, dayIn(language, subject.effectiveAt), language);
    return { kind: 'plan', title, text, path: action.path } as const;
  }
  const { means, isKnown } = guidanceFor(subject.newStatus, formType ?? '', language);
  return {
    kind: 'status',
    path: `${NOTIFICATION_PAGE}/${notificationId}`,
    name: short(nickname ?? '') || short(formType ?? ''),
    oldStatus: subject.oldStatus === null ? null : short(statusName(subject.oldStatus, language)),
    newStatus: short(statusName(subject.newStatus, language)),
    means: isKnown ? means : '',
    ...(device.showReceiptNumbers ? { receiptNumber: subject.receiptNumber } : {}),
  } as const;
}

const asJson = (message: PushMessage) => JSON.stringify(message);

function short(text: string): string {
  const characters = [...oneLine(text)];
  return characters.length <= TEXT_MAX
    ? characters.join('')
    : `${characters.slice(0, TEXT_MAX - 1).join('')}…`;
}
