import { createHmac } from 'node:crypto';
import '@casewatch/contracts/es/texts';
import { NOTIFICATION_PAGE } from '@casewatch/contracts/notifications';
import { planWords } from '@casewatch/contracts/plan-words';
import type { PushMessage } from '@casewatch/contracts/push-message';
import { guidanceFor, needsAction } from '@casewatch/contracts/status-guide';
import { statusName } from '@casewatch/contracts/status-names';
import type { KnownCase } from '../domain/alerted-cases.ts';
import { dateWords } from '../domain/date-words.ts';
import type { PushDigestComposer } from '../domain/digest-pushes.ts';
import type { Push, PushTarget } from '../domain/send-push.ts';
import type { DuePush, PushComposer } from '../domain/status-pushes.ts';
import type { Subject } from '../domain/subject.ts';
import { inLanguage, oneLine, planDayIn } from '../domain/texts.ts';

/** The saved cases, those that changed last first. */
const CHANGED_CASES_PATH = '/saved-cases?sort=changed';
/** Of the message that a user asks for to try it. */
const TEST_WORDS = {
  title: { en: 'Push notifications work', es: 'Las alertas funcionan' },
  text: {
    en: 'Casewatch will notify you on this device when the status of a case changes.',
    es: 'Casewatch le avisará en este dispositivo cuando cambie el estatus de un caso.',
  },
};
/** Characters of a text that others wrote: three of them stay below the limit of a message in any script. */
const TEXT_MAX = 160;
const TEST_TTL_SECONDS = 60;
/** Cases that a digest names; the rest is counted. And the longest line about one of them. */
const DIGEST_CASES = 3;
const DIGEST_LINE_MAX = 120;

const DIGEST_WORDS = {
  oneChanged: { en: 'One of your cases changed', es: 'Cambió uno de sus casos' },
  /** `hasMore`: there may be others. */
  title: {
    en: (cases: number, hasMore: boolean) => `${cases}${hasMore ? ' or more' : ''} of your cases changed`,
    es: (cases: number, hasMore: boolean) => `Cambiaron ${cases}${hasMore ? ' o más' : ''} de sus casos`,
  },
  yourCase: { en: 'Your case', es: 'Su caso' },
  more: { en: (cases: number) => `and ${cases} more`, es: (cases: number) => `y ${cases} más` },
  someMore: { en: 'and more', es: 'y más' },
};

interface Parts {
  /** Makes topics that say nothing to the push service. */
  secret: string;
  /** How long a message is kept for a device that is off. */
  keptMs: number;
}

/**
 * Writes the messages to devices. They hold no receipt number unless its user allows it for the device, since they are read on
 * lock screens; so the link names the notification, which leads its owner to the case.
 */
export function createPushComposer({ secret, keptMs }: Parts) {
  /** The same for all messages about a case to a device: 32 characters, the most that a topic may have (RFC 8030, section 5.4). */
  function topicOf(device: PushTarget, about: string): string {
    return createHmac('sha256', secret)
      .update(`push topic\n${device.id}\n${about}`)
      .digest('base64url')
      .slice(0, 32);
  }

  const ttlSeconds = Math.round(keptMs / 1_000);

  const compose: PushComposer = (due, known) => {
    const { device, subject, notificationId } = due;
    const topic = topicOf(device, topicNameOf(subject));
    const every = { id: notificationId, tag: topic, at: due.createdAt.getTime(), language: device.language };
    return {
      target: device,
      payload: asJson({ ...every, ...contentOf(due, known) }),
      ttlSeconds,
      urgency: isUrgent(subject) ? 'high' : 'normal',
      topic,
    };
  };

  /** Replaces no other digest: each reports changes of its own. */
  const composeDigest: PushDigestComposer = ({ id, device, queuedAtMs }, changed, hasMore) => {
    const { language } = device;
    const words = inLanguage(DIGEST_WORDS, language);
    const topic = topicOf(device, `digest ${id}`);
    const lines = changed.slice(0, DIGEST_CASES).map((one) => {
      const receiptNumber = device.showReceiptNumbers ? one.receiptNumber : '';
      const name =
        oneLine(one.nickname ?? '') || oneLine(one.formType ?? '') || receiptNumber || words.yourCase;
      return short(`${name}: ${statusName(one.newStatus, language, one.own)}`, DIGEST_LINE_MAX);
    });
    const leftOut = changed.length - lines.length;
    if (hasMore) lines.push(words.someMore);
    else if (leftOut > 0) lines.push(words.more(leftOut));
    const [only] = changed.length === 1 && !hasMore ? changed : [];
    const message: PushMessage = {
      kind: 'digest',
      id,
      tag: topic,
      at: queuedAtMs,
      path: only?.notificationId ? `${NOTIFICATION_PAGE}/${only.notificationId}` : CHANGED_CASES_PATH,
      language,
      title: only ? words.oneChanged : words.title(changed.length, hasMore),
      text: lines.join('\n'),
    };
    const isUrgent = changed.some(({ newStatus }) => needsAction(newStatus));
    return {
      target: device,
      payload: asJson(message),
      ttlSeconds,
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
      path: '/profile/notifications',
      language: device.language,
      ...inLanguage(TEST_WORDS, device.language),
    };
    return { target: device, payload: asJson(message), ttlSeconds: TEST_TTL_SECONDS, urgency: 'high', topic };
  }

  return { compose, composeDigest, composeTest };
}

/** Messages of one name replace each other on a device. */
function topicNameOf(subject: Subject): string {
  if (subject.kind === 'plan') return 'plan';
  return subject.kind === 'date' ? `date ${subject.dateId}` : subject.receiptNumber;
}

function isUrgent(subject: Subject): boolean {
  if (subject.kind === 'plan') return subject.milestone !== 'pro-returned';
  return subject.kind === 'date' || needsAction(subject.newStatus);
}

function contentOf({ subject, notificationId, device, settings }: DuePush, own: KnownCase) {
  const { nickname, formType } = own;
  const { language } = device;
  if (subject.kind === 'plan') {
    const day = planDayIn(language, subject.effectiveAt, settings.timeZone);
    const { title, text, action } = planWords(subject, day, language);
    return { kind: 'plan', title, text, path: action.path } as const;
  }
  if (subject.kind === 'date') {
    const receiptNumber = device.showReceiptNumbers ? subject.receiptNumber : '';
    const name = short(nickname ?? '') || short(formType ?? '') || receiptNumber;
    const lines = [name || DIGEST_WORDS.yourCase[language], short(subject.label ?? '')];
    return {
      kind: 'date',
      title: dateWords(subject, language),
      text: lines.filter((line) => line !== '').join('\n'),
      path: `${NOTIFICATION_PAGE}/${notificationId}`,
    } as const;
  }
  const { means, todo, isKnown } = guidanceFor(subject.newStatus, formType ?? '', language);
  const asksSomething = needsAction(subject.newStatus);
  return {
    kind: 'status',
    path: `${NOTIFICATION_PAGE}/${notificationId}`,
    name: short(nickname ?? '') || short(formType ?? ''),
    oldStatus: subject.oldStatus === null ? null : short(statusName(subject.oldStatus, language, own)),
    newStatus: short(statusName(subject.newStatus, language, own)),
    means: isKnown || asksSomething ? means : '',
    ...(asksSomething ? { todo } : {}),
    ...(device.showReceiptNumbers ? { receiptNumber: subject.receiptNumber } : {}),
  } as const;
}

const asJson = (message: PushMessage) => JSON.stringify(message);

function short(text: string, most = TEXT_MAX): string {
  const characters = [...oneLine(text)];
  return characters.length <= most ? characters.join('') : `${characters.slice(0, most - 1).join('')}…`;
}
