import { z } from 'zod';
import { defineRoute } from './route-contract.ts';

const moment = z.iso.datetime();

/** Most users in one answer. */
export const WAITING_USERS_MAX = 10;

const waiting = z.object({
  lookups: z.int(),
  oldestMs: z.int().meta({ description: 'How long the oldest has waited; 0 where nothing waits.' }),
});

export const agencyQueueNow = z
  .object({
    caller: z
      .object({ name: z.string(), since: moment })
      .nullable()
      .meta({ description: 'The process that calls the agency; null while none does.' }),
    pausedUntil: moment.nullable().meta({ description: 'After "too many requests"; null without a pause.' }),
    quotaSpentUntil: moment.nullable().meta({
      description: "Until when the day's quota is spent, by the agency's answer; null where it is not.",
    }),
    budget: z.object({
      callsPerDay: z.int(),
      usedToday: z.int().meta({ description: "Since the agency's day began." }),
    }),
    people: waiting,
    scheduledChecks: waiting,
    longest: z
      .array(
        z.object({
          userId: z.uuid().nullable().meta({ description: 'null where it is masked, as the first name.' }),
          userFirstName: z.string().nullable(),
          lookups: z.int(),
        }),
      )
      .meta({ description: `The users with the most lookups that wait, at most ${WAITING_USERS_MAX}.` }),
  })
  .meta({ id: 'AgencyQueueNow' });
export type AgencyQueueNow = z.output<typeof agencyQueueNow>;

export const getAgencyQueue = defineRoute({
  id: 'getAgencyQueue',
  service: 'cases',
  access: 'admin',
  permission: 'logs.read',
  method: 'GET',
  path: '/api/admin/agency-queue',
  summary: 'Which process calls the agency, and what waits for it, now',
  answer: agencyQueueNow,
});
