import { z } from 'zod';
import { defineRoute } from './route-contract.ts';

/** Most users in one answer. */
export const FOUND_USERS_MAX = 100;

/** Returns the form in which names are compared: accents and case make no difference. */
export function nameKeyOf(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]+/g, '')
    .toLowerCase();
}

/** Asked for at the moment of a search, so that no other service keeps last names and e-mail addresses. */
export const findUsers = defineRoute({
  id: 'findUsers',
  service: 'identity',
  method: 'POST',
  path: '/internal/identity/find-users',
  access: 'internal',
  summary: 'The users whose last name or e-mail address begins like this, whatever the case and accents',
  description: `At most ${FOUND_USERS_MAX}; \`isComplete\` says whether these are all.`,
  body: z.strictObject({ start: z.string().min(1).max(100) }),
  answer: z.object({ userIds: z.array(z.uuid()), isComplete: z.boolean() }),
});
