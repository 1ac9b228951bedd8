import { z } from 'zod';
import { fieldMessage } from './field-texts.ts';
import {
  DIGEST_TIMINGS,
  IMMEDIATE_OR_NEVER,
  NOTIFICATION_TIMINGS,
  type NotificationSettings as Settings,
} from './notification-choices.ts';
import { defineRoute } from './route-contract.ts';

const timing = z.enum(NOTIFICATION_TIMINGS);
const immediateOrNever = z.enum(IMMEDIATE_OR_NEVER);
const perKind = z.strictObject({
  status: immediateOrNever,
  needsAction: immediateOrNever,
  billing: immediateOrNever,
  dates: immediateOrNever.optional(),
});
const pushPerKind = z.strictObject({
  status: timing,
  needsAction: timing,
  billing: immediateOrNever,
  dates: immediateOrNever.optional(),
});
const clockTime = z
  .string()
  .regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, fieldMessage('time-invalid'))
  .meta({ examples: ['22:00'] });
const timeZone = z
  .string()
  .max(64)
  .regex(/^[A-Za-z][\w+-]*(?:\/[\w+-]+)*$/, fieldMessage('time-zone-invalid'))
  .meta({ examples: ['America/New_York'] });

export const notificationSettings: z.ZodType<Settings> = z
  .strictObject({
    bell: perKind.meta({ description: 'The list in the app.' }),
    email: z
      .strictObject({
        status: timing,
        needsAction: timing,
        dates: immediateOrNever.optional(),
        digest: z.enum(DIGEST_TIMINGS).meta({ description: 'An overview, also when nothing has changed.' }),
      })
      .meta({
        description:
          'daily, weekly: in a digest. E-mails about the plan and the security of the account always come.',
      }),
    push: pushPerKind.meta({
      description:
        'To the devices that the user has added. daily, weekly: one message that says how many cases changed.',
    }),
    quietHours: z
      .strictObject({ from: clockTime, until: clockTime })
      .refine(({ from, until }) => from !== until, fieldMessage('quiet-hours-empty'))
      .nullable()
      .meta({
        description:
          'In the time zone below; e-mails and push messages wait until their end, except what needs action.',
      }),
    timeZone: timeZone.nullable().meta({ description: 'null: not chosen yet, UTC counts.' }),
    digestHour: z
      .int()
      .min(0)
      .max(23)
      .meta({ description: 'When digests and reminders of dates come, in that time zone.' }),
    digestDay: z.int().min(1).max(7).meta({ description: 'Of the weekly digest: 1 is Monday.' }),
  })
  .meta({ id: 'NotificationSettings' });

const answer = z.object({
  settings: notificationSettings,
  emailOffered: z.boolean().meta({ description: 'Whether this installation sends e-mails at all.' }),
  pushOffered: z.boolean().meta({ description: 'Whether it sends push messages.' }),
});
export type NotificationSettingsAnswer = z.output<typeof answer>;

export const getNotificationSettings = defineRoute({
  id: 'getNotificationSettings',
  service: 'notifications',
  method: 'GET',
  path: '/api/notifications/settings',
  access: 'user',
  summary: 'Which notifications the signed-in user gets, where and when',
  answer,
});

export const changeNotificationSettings = defineRoute({
  id: 'changeNotificationSettings',
  service: 'notifications',
  method: 'PUT',
  path: '/api/notifications/settings',
  access: 'user',
  summary: 'Change which notifications come, where and when',
  description: 'Replaces all of them.',
  body: notificationSettings,
  answer,
});
