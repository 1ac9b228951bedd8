import { ADMIN_ROLES } from '@casewatch/contracts/admin-roles';
import { POLICIES_DATE } from '@casewatch/service-kit/settings/policy-settings';
import { flag, integer, setting } from '@casewatch/service-kit/settings/settings';
import { databaseConnections, PUBLIC_URL, secureUrl } from '@casewatch/service-kit/settings/shared-settings';
import { z } from 'zod';

const ADMIN_PASSCODE_MIN_LENGTH = 12;
/** What the sign-in form takes. */
const ADMIN_PASSCODE_MAX_LENGTH = 256;
const TWO_WEEKS_HOURS = 14 * 24;

const roles = z.record(z.string().min(1), z.enum(ADMIN_ROLES));
const rolesByGroup = z.string().transform((text, context) => {
  const parsed = roles.safeParse(parseJson(text));
  if (parsed.success) return parsed.data;
  const message = `must be JSON that gives each group one of ${ADMIN_ROLES.join(', ')}`;
  context.addIssue({ code: 'custom', message });
  return z.NEVER;
});

/** What the identity service reads from the environment. */
export const settings = {
  PUBLIC_URL,
  POLICIES_DATE,
  SESSION_IDLE_HOURS: setting(integer(1).default(TWO_WEEKS_HOURS), {
    description: 'A session that is not used for this many hours ends.',
  }),
  SESSION_MAX_DAYS: setting(integer(1, 400).default(90), {
    description: 'A session ends after this many days, however much it is used.',
  }),
  SIGN_IN_TRIES_PER_ACCOUNT: setting(integer(1).default(10), {
    description:
      'Wrong passwords for one account within SIGN_IN_WINDOW_MINUTES before it has to wait; a browser that has signed in before has as many of its own.',
  }),
  SIGN_IN_TRIES_PER_ADDRESS: setting(integer(1).default(50), {
    description:
      'Failed sign-ins from one address (an IPv6 /64) within SIGN_IN_WINDOW_MINUTES before it has to wait; an IPv6 /48 has ten times as many.',
  }),
  SIGN_IN_WINDOW_MINUTES: setting(integer(1).default(15), {
    description: 'The window in which wrong passwords and failed sign-ins are counted, in minutes.',
  }),
  SIGN_UPS_PER_ADDRESS: setting(integer(1).default(30), {
    description:
      'Sign-ups from one address (an IPv6 /64) within an hour before it has to wait; an IPv6 /48 has ten times as many.',
  }),
  ACCOUNT_MAILS: setting(flag().default(false), {
    description:
      'Whether e-mails about accounts are sent: forgotten passwords can be reset, and e-mails about cases and Pro need a proven address. All-in-one sets it with SMTP_URL; with separate services, set it where the notifications service has one.',
  }),
  ACCOUNT_MAILS_PER_ADDRESS: setting(integer(1).default(5), {
    description:
      'E-mails of sign-ups and changes to one mailbox within an hour, however its address is spelled, and as many links that an account asks for again. Links that reset its password: a quarter as many within a quarter of an hour, so that its owner always has one that works; more requests get the same answer and send nothing.',
  }),
  ACCOUNT_MAILS_PER_ACCOUNT: setting(integer(1).default(5), {
    description:
      'E-mails that one account sends within an hour by changes of its address and links asked for again, before it has to wait; twice as many within a day.',
  }),
  ACCOUNT_MAILS_PER_NETWORK: setting(integer(1).default(30), {
    description:
      'Requests for links by e-mail from one address (an IPv6 /64) within an hour before it has to wait; an IPv6 /48 has ten times as many.',
  }),
  PASSWORD_HASHES_AT_ONCE: setting(integer(1, 64).default(2), {
    description: 'Password hashes computed at the same time; each takes 19 MiB and a processor for a moment.',
  }),
  PASSWORD_HASHES_WAITING: setting(integer(0).default(200), {
    description: 'Requests that may wait for their password hash; one more is answered 503.',
  }),
  ADMIN_PASSCODE: setting(
    z
      .string()
      .min(ADMIN_PASSCODE_MIN_LENGTH, `must have at least ${ADMIN_PASSCODE_MIN_LENGTH} characters`)
      .max(ADMIN_PASSCODE_MAX_LENGTH, `must have at most ${ADMIN_PASSCODE_MAX_LENGTH} characters`)
      .optional(),
    {
      description:
        'Opens the admin area; another one ends every admin session. Unset: the area is off, but all-in-one makes one and shows it at every start.',
      secret: true,
    },
  ),
  ADMIN_PASSCODE_ENABLED: setting(flag().default(true), {
    description:
      'Whether the passcode opens the admin area. Switch it off once named administrators exist (`npm run admins -- invite`).',
  }),
  ADMIN_OIDC_ISSUER: setting(secureUrl().optional(), {
    description:
      "The team's OpenID provider, by its issuer: administrators sign in with it, too. At the provider allow `PUBLIC_URL` with the path `/admin/single-sign-on` as the redirect URI. Needs ADMIN_OIDC_CLIENT_ID and ADMIN_OIDC_CLIENT_SECRET.",
  }),
  ADMIN_OIDC_CLIENT_ID: setting(z.string().max(256).optional(), {
    description: 'What the provider calls this product.',
  }),
  ADMIN_OIDC_CLIENT_SECRET: setting(z.string().max(1_024).optional(), {
    description: 'Its secret at the provider (`client_secret_post`).',
    secret: true,
  }),
  ADMIN_OIDC_LABEL: setting(z.string().trim().min(1).max(40).default('single sign-on'), {
    description: 'The name of the provider on the button: "Sign in with …".',
  }),
  ADMIN_OIDC_SCOPE: setting(
    z
      .string()
      .regex(/(?:^| )openid(?: |$)/, 'must contain openid')
      .default('openid email profile'),
    { description: 'What is asked of the provider; some give groups with a scope of their own only.' },
  ),
  ADMIN_OIDC_ROLE_CLAIM: setting(z.string().min(1).default('groups'), {
    description: "The claim that holds a person's groups: a text or a list of texts.",
  }),
  ADMIN_OIDC_ROLES: setting(rolesByGroup.optional(), {
    description:
      'Which group gives which role, as JSON: `{"casewatch-owners":"owner","support":"auditor"}`. Of several the first of owner, auditor and survey-editor counts. Without it only invited administrators get in. The provider has to send the claim also for people in no group: without it no access ends.',
  }),
  ADMIN_IDLE_MINUTES: setting(integer(1, 15).default(15), {
    description: 'An admin session that is not used for this many minutes ends.',
  }),
  ADMIN_SESSION_HOURS: setting(integer(1, 24).default(8), {
    description: 'An admin session ends after this many hours, however much it is used.',
  }),
  ADMIN_TRIES_PER_ADDRESS: setting(integer(1).default(5), {
    description:
      'Wrong passcodes of one address within 15 minutes before it has to wait; a browser that has opened the area before has as many of its own.',
  }),
  ADMIN_TRIES_OVERALL: setting(integer(1).default(50), {
    description:
      'Wrong passcodes within 15 minutes of all addresses together from which no admin session was opened in the last 30 days.',
  }),
  DEMO_ACCOUNTS: setting(flag().default(false), {
    description:
      'Whether `free@demo.test` and `pro@demo.test` (password `demo-demo-demo`) exist. For demonstrations only.',
  }),
  IDENTITY_DATABASE_CONNECTIONS: databaseConnections('identity', 10),
};

export type IdentitySettings = typeof settings;

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
