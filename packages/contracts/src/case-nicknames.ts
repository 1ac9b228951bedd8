import { z } from 'zod';
import { receiptNumber } from './cases.ts';
import { defineRoute } from './route-contract.ts';

/** Most cases in one request. */
export const CASE_NICKNAMES_MAX = 100;

const savedCaseKey = z.strictObject({ userId: z.uuid(), receiptNumber });

/** For texts that only the owner receives. */
export const listCaseNicknames = defineRoute({
  id: 'listCaseNicknames',
  service: 'cases',
  method: 'POST',
  path: '/internal/cases/nicknames',
  access: 'internal',
  summary: 'What users call these saved cases of theirs, and their forms',
  description:
    'Cases that are not saved are left out; so are those without a nickname, and those whose form is not known.',
  body: z.strictObject({ cases: z.array(savedCaseKey).min(1).max(CASE_NICKNAMES_MAX) }),
  status: 200,
  answer: z.object({
    nicknames: z.array(savedCaseKey.extend({ nickname: z.string() })),
    forms: z
      .array(savedCaseKey.extend({ formType: z.string() }))
      .optional()
      .meta({ description: 'Absent while older processes answer.' }),
  }),
});
