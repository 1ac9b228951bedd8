import { integer, setting } from '@casewatch/service-kit/settings/settings';
import { databaseConnections, httpUrl, ratio } from '@casewatch/service-kit/settings/shared-settings';
import { z } from 'zod';
import { agencyHeaders } from './agency/agency-headers.ts';

const HOST_NAME = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/;

const hostNames = () =>
  z
    .string()
    .transform((text) =>
      text
        .toLowerCase()
        .split(',')
        .map((name) => name.trim()),
    )
    .refine(
      (names) => names.every((name) => HOST_NAME.test(name)),
      'must be host names, separated by commas',
    );

const day = () => z.iso.date('must be a day such as 2026-03-01');

/** What the cases service reads from the environment. */
export const settings = {
  AGENCY_BASE_URL: setting(
    httpUrl()
      .refine((url) => !URL.parse(url)?.username && !URL.parse(url)?.password, {
        error: 'must have no user name or password; keys are AGENCY_CLIENT_ID and AGENCY_CLIENT_SECRET',
      })
      .refine((url) => !/[?#]/.test(url), {
        error: 'must have no ? and no #, which no call would carry',
      })
      .default('https://api-int.uscis.gov'),
    {
      description:
        "Where the agency's case status API is; the default is its sandbox. The record of a demonstration shows it. All-in-one sets it to the simulator where it starts one (SIMULATORS).",
    },
  ),
  AGENCY_CLIENT_ID: setting(z.string().default(''), {
    description: 'The client id that the agency gave. Needed to start, except where a simulator stands in.',
  }),
  AGENCY_CLIENT_SECRET: setting(z.string().default(''), {
    description: 'The client secret that belongs to AGENCY_CLIENT_ID.',
    secret: true,
  }),
  AGENCY_NEXT_CLIENT_ID: setting(z.string().default(''), {
    description:
      'The client id of newer keys while they replace those of AGENCY_CLIENT_ID: it is used first, and the other one where the agency refuses it.',
  }),
  AGENCY_NEXT_CLIENT_SECRET: setting(z.string().default(''), {
    description: 'The client secret that belongs to AGENCY_NEXT_CLIENT_ID.',
    secret: true,
  }),
  AGENCY_KEY_ISSUED: setting(day().optional(), {
    description:
      'The day on which the agency issued AGENCY_CLIENT_ID, such as `2026-03-01`; with it an alert comes 14 days before the keys end.',
  }),
  AGENCY_NEXT_KEY_ISSUED: setting(day().optional(), {
    description: 'The same of AGENCY_NEXT_CLIENT_ID.',
  }),
  AGENCY_KEY_DAYS: setting(integer(1, 3_650).default(90), {
    description:
      'How many days keys of the agency live: 90 or 365 by two versions of its page, of which the shorter is the safe one.',
  }),
  AGENCY_DEMO_ID: setting(
    z
      .string()
      .regex(/^(\d{4})?$/, 'must be 4 digits')
      .default(''),
    {
      description:
        'The 4 digits that the agency assigns for a demonstration before production access; every call carries them as the header `demo_id`.',
    },
  ),
  AGENCY_HEADERS: setting(agencyHeaders(), {
    description:
      'Further headers of every call, token requests included: a JSON object such as `{"X-Request-Source":"casewatch"}`. Names that Casewatch sets itself are refused.',
    secret: true,
  }),
  AGENCY_CALLS_PER_SECOND: setting(integer(1, 100_000).default(5), {
    description: 'Calls the agency allows in any one second: 5 in the sandbox, 10 in production.',
  }),
  AGENCY_CALLS_PER_DAY: setting(integer(1, 2_000_000_000).default(1_000), {
    description:
      'Calls the agency allows a day, counted from midnight GMT: 1,000 in the sandbox; production does not start with these, until it is set to the quota agreed with the agency. AGENCY_MONITORING_SHARE says how people and scheduled checks share them.',
  }),
  AGENCY_MONITORING_SHARE: setting(ratio().default(0.5), {
    description:
      'The share of the calls per second and per day, 0 to 1, that scheduled checks are guaranteed while they are due; what they do not use is for people, and the other way round.',
  }),
  AGENCY_WEIGHT_PRO: setting(integer(1, 100).default(4), {
    description:
      'Calls of a Pro user in one round of the queue, and the weight of their share of a day that runs low.',
  }),
  AGENCY_WEIGHT_FREE: setting(integer(1, 100).default(1), {
    description: 'The same for a Free user.',
  }),
  AGENCY_TIMEOUT_MS: setting(integer(100, 60_000).default(8_000), {
    description: 'How long one lookup waits for the agency, a second try included, in milliseconds.',
  }),
  AGENCY_REST_MS: setting(integer(100, 3_600_000).default(15_000), {
    description: 'How long the agency is left alone after it failed several times in a row, in milliseconds.',
  }),
  AGENCY_LINK_HOSTS: setting(hostNames().prefault('uscis.gov,dhs.gov,travel.state.gov,tools.usps.com'), {
    description:
      'Hosts that links in texts of the agency may lead to, with their subdomains, comma-separated; other links are shown as plain text.',
  }),
  BUDGET_WAIT_MS: setting(integer(0, 60_000).default(4_000), {
    description: 'How long a lookup waits for its turn within AGENCY_CALLS_PER_SECOND, in milliseconds.',
  }),
  FRESHNESS_SECONDS: setting(integer(0, 86_400).default(60), {
    description: 'A stored status younger than this is shown without asking the agency again.',
  }),
  NOT_RECOGNIZED_SECONDS: setting(integer(0, 86_400).default(300), {
    description: 'How long a receipt number that the agency did not recognize is not looked up again.',
  }),
  LOOKUP_LOG_STORED_SHARE: setting(ratio().default(1), {
    description:
      'The share of lookups answered from the store, 0 to 1, that are written to the request log; lookups that ask the agency or fail are always written.',
  }),
  CASES_DATABASE_CONNECTIONS: databaseConnections('cases', 10),
};

export type CasesSettings = typeof settings;
