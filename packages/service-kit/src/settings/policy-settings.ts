import { isEmailAddress } from '@casewatch/contracts/email-address';
import { POLICY_NAMES, type PolicyName } from '@casewatch/contracts/server-paths';
import { z } from 'zod';
import { isOutsideLoopback } from './loopback.ts';
import { setting } from './settings.ts';

/** A line break would end the paragraph or the row of a table that names it. */
const line = () =>
  z
    .string()
    .trim()
    .min(1)
    .max(300)
    .regex(/^[^\p{Cc}\u2028\u2029]*$/u, 'must be on one line');
const WHO =
  'The privacy policy, terms of use and the pages beside them name it; required where people sign up from other machines.';

/** The version of the pages: identity records it at sign-up. */
export const POLICIES_DATE = setting(z.iso.date('must be a date such as 2026-12-01').optional(), {
  description:
    'The version of the privacy policy, terms of use and the pages beside them: since when they hold, such as 2026-12-01. Shown on them, and recorded with each sign-up; change it with their texts.',
});

/** Who runs the installation, as its policy pages say. */
export const operatorSettings = {
  OPERATOR_NAME: setting(line().optional(), {
    description: `The organization that runs the installation. ${WHO}`,
  }),
  OPERATOR_ADDRESS: setting(line().optional(), { description: `Its postal address, on one line. ${WHO}` }),
  OPERATOR_JURISDICTION: setting(line().optional(), {
    description: `Whose law the terms of use follow, such as \`the State of Maryland, USA\`. ${WHO}`,
  }),
  OPERATOR_EMAIL: setting(z.string().refine(isEmailAddress, 'must be an e-mail address').optional(), {
    description: `Where people write to about their data, accessibility and the terms. ${WHO}`,
  }),
};

/** Where policy pages are that this installation does not show itself. */
export const POLICY_PAGES_ELSEWHERE = setting(
  z
    .string()
    .transform((text, context) => {
      const pairs = text
        .trim()
        .split(/\s+/)
        .map((pair) => pair.split(/=(.*)/s, 2));
      const isFit = ([name = '', url = '']: string[]) =>
        POLICY_NAMES.some((known) => known === name) && /^https?:$/.test(URL.parse(url)?.protocol ?? '');
      if (pairs.every(isFit)) return Object.fromEntries(pairs) as Partial<Record<PolicyName, string>>;
      context.addIssue({
        code: 'custom',
        message: `must be like terms=https://agency.example/terms, with spaces between, for any of ${POLICY_NAMES.join(', ')}`,
      });
      return z.NEVER;
    })
    .optional(),
  {
    description:
      'Policy pages that are on another site, such as `privacy=https://agency.example/privacy terms=https://agency.example/terms`: links lead there. With all five there, only POLICIES_DATE is required.',
  },
);

/**
 * Returns a sentence for each setting that the pages lack, where people sign up from other machines. `readable`: the settings
 * that the parts of this process read, `env`: what is set, and valid by itself.
 */
export function policyProblems(readable: ReadonlySet<string>, env: NodeJS.ProcessEnv): string[] {
  if (!isOutsideLoopback({ PUBLIC_URL: env.PUBLIC_URL })) return [];
  const elsewhere = POLICY_PAGES_ELSEWHERE.safeParse(env.POLICY_PAGES_ELSEWHERE || undefined).data ?? {};
  const areAllElsewhere = POLICY_NAMES.every((name) => elsewhere[name] !== undefined);
  const needed = ['POLICIES_DATE', ...(areAllElsewhere ? [] : Object.keys(operatorSettings))];
  return needed
    .filter((name) => readable.has(name) && !env[name]?.trim())
    .map(
      (name) =>
        `${name}: is needed with this PUBLIC_URL, where people sign up: the privacy policy and terms of use have a placeholder for it (docs/personal-data.md)`,
    );
}
