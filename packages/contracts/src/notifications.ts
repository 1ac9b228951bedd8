import { z } from 'zod';
import type { AppPage } from './app-pages.ts';
import { CASE_DATE_KINDS } from './case-date-kinds.ts';
import { fieldMessage } from './field-texts.ts';
import { PLAN_END_REASONS, PLAN_MILESTONES } from './limits.ts';
import { defineRoute } from './route-contract.ts';

/** The answer header of `listNotifications` that says how many notifications of the user are unread, in all. */
export const UNREAD_COUNT_HEADER = 'X-Unread-Count';

export const asksSomething = z
  .boolean()
  .meta({ description: 'Whether the status asks something of the applicant.' });

const everyNotification = {
  id: z.uuid(),
  userId: z.uuid(),
  createdAt: z.iso.datetime(),
  read: z.boolean(),
  order: z.string().meta({
    description:
      'Its place among the notifications of the user: of two texts the greater one is the newer change, also where its notification came earlier.',
  }),
};

export const statusNotification = z
  .object({
    ...everyNotification,
    kind: z.literal('status'),
    receiptNumber: z.string(),
    oldStatus: z
      .string()
      .nullable()
      .meta({ description: 'null when the new status is the first one known.' }),
    newStatus: z.string(),
    needsAction: asksSomething,
  })
  .meta({ id: 'StatusNotification' });
export type StatusNotification = z.output<typeof statusNotification>;

export const priceChange = z.object({ oldCents: z.int(), newCents: z.int(), yearly: z.boolean() }).meta({
  id: 'PriceChange',
  description: 'What the plan costs before and after the change, by the month or the year.',
});

export const planNotification = z
  .object({
    ...everyNotification,
    kind: z.literal('plan'),
    milestone: z.enum(PLAN_MILESTONES),
    reason: z
      .enum(PLAN_END_REASONS)
      .nullable()
      .meta({ description: 'Why pro ended; null for another milestone.' }),
    effectiveAt: z.iso.datetime().meta({
      description:
        'When the trial ends, when pro ends unless it is paid, when it ended, when it was back, or from when a new price counts.',
    }),
    priceChange: priceChange
      .optional()
      .meta({ description: 'Absent for all milestones but price-changing.' }),
  })
  .meta({ id: 'PlanNotification' });
export type PlanNotification = z.output<typeof planNotification>;

export const dateNotification = z
  .object({
    ...everyNotification,
    kind: z.literal('date'),
    receiptNumber: z.string(),
    dateId: z.uuid(),
    dateKind: z.enum(CASE_DATE_KINDS),
    day: z.iso.date().meta({ description: 'Of which it reminds, as the user entered it.' }),
    label: z.string().nullable(),
  })
  .meta({ id: 'DateNotification' });
export type DateNotification = z.output<typeof dateNotification>;

export const notification = z
  .discriminatedUnion('kind', [statusNotification, planNotification, dateNotification])
  .meta({ id: 'Notification' });
export type Notification = z.output<typeof notification>;

/** The events of the stream, by name. */
export const STREAM_EVENTS = {
  /** The stream is open: what happens from now on comes through it. */
  ready: 'ready',
  /** The data is a notification. */
  notification: 'notification',
  /** The user changed saved cases, here or on another device: read them anew. May be missed. */
  casesChanged: 'cases-changed',
  /** More was missed than is sent again: fetch the list. */
  reset: 'reset',
  /** The user has opened more streams than are kept; this was the oldest. */
  replaced: 'replaced',
} as const;

const streamEvent = z
  .object({
    event: z.enum(Object.values(STREAM_EVENTS)).optional(),
    id: z.string().optional(),
    data: z.string().optional().meta({ description: 'JSON: of a `notification`, a Notification.' }),
    retry: z.string().optional(),
  })
  .meta({ id: 'NotificationEvent' });

const forUsers = { service: 'notifications', access: 'user' } as const;

export const listNotifications = defineRoute({
  ...forUsers,
  id: 'listNotifications',
  method: 'GET',
  path: '/api/notifications',
  summary: 'The notifications of the signed-in user, newest change first',
  description: `For older ones, give the id of the last one you have as \`before\`. The answer's header ${UNREAD_COUNT_HEADER} counts the unread ones, also those that are not in the answer.`,
  query: z.object({
    limit: z.coerce
      .number()
      .int()
      .min(1)
      .max(100)
      .default(50)
      .meta({ description: 'How many at most, 1 to 100.' }),
    before: z.uuid().optional().meta({ description: 'Only what is older than this notification.' }),
  }),
  answer: z.array(notification),
  answerHeaders: {
    [UNREAD_COUNT_HEADER]: { description: 'How many are unread, in all.', schema: z.int().min(0) },
  },
  next: [{ operationId: 'markNotificationRead', parameters: { id: '/0/id' } }],
});

export const markNotificationRead = defineRoute({
  ...forUsers,
  id: 'markNotificationRead',
  method: 'PATCH',
  path: '/api/notifications/:id/read',
  summary: 'Mark one notification as read',
  params: z.object({ id: z.uuid(fieldMessage('no-such-notification')) }),
  answer: notification,
  errors: ['NOT_FOUND'],
});

export const markAllNotificationsRead = defineRoute({
  ...forUsers,
  id: 'markAllNotificationsRead',
  method: 'POST',
  path: '/api/notifications/read-all',
  summary: 'Mark all notifications as read',
  answer: z.object({
    ok: z.literal(true),
    count: z.int().meta({ description: 'How many of them were unread.' }),
  }),
});

export const streamNotifications = defineRoute({
  ...forUsers,
  id: 'streamNotifications',
  method: 'GET',
  path: '/api/notifications/stream',
  summary: 'New notifications as they come (server-sent events)',
  description:
    'Events: `ready`, `notification` (data: a Notification, which is the newest one only if its `order` is), `cases-changed` (the user changed saved cases, on any device: fetch them), `reset` (fetch the list: too much was missed), `replaced` (too many streams of this user). Resumes after the event whose id is in the header `Last-Event-ID` or, where there is none, in `after`. Ends with its session, and after some hours; reconnect.',
  query: z.object({
    after: z.string().max(20).optional().meta({ description: 'The id of the last event that arrived.' }),
  }),
  answer: z.string(),
  answerType: 'text/event-stream',
  event: streamEvent,
});

export const notificationPreferences = z
  .object({
    email: z.boolean().meta({ description: 'Each notification comes as an e-mail too.' }),
    emailOffered: z.boolean().meta({ description: 'Whether this installation sends e-mails at all.' }),
  })
  .meta({ id: 'NotificationPreferences' });
export type NotificationPreferences = z.output<typeof notificationPreferences>;

export const getNotificationPreferences = defineRoute({
  ...forUsers,
  id: 'getNotificationPreferences',
  method: 'GET',
  path: '/api/notifications/preferences',
  summary: 'How the signed-in user wants to be notified',
  answer: notificationPreferences,
});

export const changeNotificationPreferences = defineRoute({
  ...forUsers,
  id: 'changeNotificationPreferences',
  method: 'PUT',
  path: '/api/notifications/preferences',
  summary: 'Change how the signed-in user is notified',
  body: z.strictObject({ email: z.boolean() }),
  answer: notificationPreferences,
});

/** The token in the links of an e-mail: its holder may stop further e-mails without signing in. */
const unsubscribeQuery = z.object({
  token: z.string().min(1).max(200).meta({ description: 'From the e-mail.' }),
});
/** The web app's page that leads from a notification, whose id follows, to the case it is about. */
export const NOTIFICATION_PAGE = '/notifications';
/** The web app's page that asks before it stops e-mails; the token follows as the fragment, which no server sees. */
export const UNSUBSCRIBE_PAGE = '/unsubscribe' satisfies AppPage;

export const openUnsubscribePage = defineRoute({
  id: 'openUnsubscribePage',
  service: 'notifications',
  method: 'GET',
  path: '/api/notifications/unsubscribe',
  access: 'public',
  summary: 'Leads to the page that asks whether e-mails shall stop',
  description: 'Changes nothing: programs that check the links of an e-mail open them, too.',
  query: unsubscribeQuery,
  status: 303,
  answer: z.undefined(),
});

export const unsubscribe = defineRoute({
  id: 'unsubscribe',
  service: 'notifications',
  method: 'POST',
  path: '/api/notifications/unsubscribe',
  access: 'public',
  summary: 'Stop the e-mails of a kind to the recipient of the token (RFC 8058)',
  description:
    'The kind is that of the e-mail with the token. Mail programs send this from anywhere, without a session; a body is not read. Twice is no error.',
  query: unsubscribeQuery.extend({
    all: z.literal('true').optional().meta({ description: 'Stops all e-mails about cases.' }),
  }),
  provesItself: true,
  answer: z.object({ ok: z.literal(true) }),
  errors: ['INVALID_SIGNATURE'],
});
