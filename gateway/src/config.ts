import {
  operatorSettings,
  POLICIES_DATE,
  POLICY_PAGES_ELSEWHERE,
} from '@casewatch/service-kit/settings/policy-settings';
import { integer, type SettingsOf, setting } from '@casewatch/service-kit/settings/settings';
import { PUBLIC_URL, stripePlaces, supportSettings } from '@casewatch/service-kit/settings/shared-settings';
import { z } from 'zod';

/** What the gateway reads from the environment. */
export const gatewaySettings = {
  PUBLIC_URL,
  ...stripePlaces,
  ...supportSettings,
  ...operatorSettings,
  POLICIES_DATE,
  POLICY_PAGES_DIR: setting(z.string().optional(), {
    description:
      'A folder with Markdown files that replace policy pages, such as `privacy.md` and, in Spanish, `privacy.es.md`; the built-in ones are in web/public/policies. Read at the start.',
  }),
  POLICY_PAGES_ELSEWHERE,
  NOTIFICATION_MONTHS: setting(integer(14, 1_200).default(36), {
    description: 'What the privacy policy says.',
  }),
  LOG_PAYLOAD_DAYS: setting(integer(1, 3_650).default(90), { description: 'What the privacy policy says.' }),
  LOG_ROW_MONTHS: setting(integer(1, 1_200).default(13), { description: 'What the privacy policy says.' }),
  SESSION_MAX_DAYS: setting(integer(1, 400).default(90), { description: 'What the cookie notice says.' }),
  TRUST_PROXY_HOPS: setting(integer(0, 10).default(0), {
    description:
      'How many reverse proxies of your own stand before the gateway: that many addresses at the end of X-Forwarded-For are believed.',
  }),
  RATE_LIMIT_PER_ADDRESS_PER_MINUTE: setting(integer(1).default(1200), {
    description:
      'Requests of one address (IPv6: one /64 network) to anything under `/api` within a minute, before it has to wait.',
  }),
  RATE_LIMIT_PAGES_PER_ADDRESS_PER_MINUTE: setting(integer(1).default(6000), {
    description:
      'The same for pages, their files and paths that do not exist. Opening a page takes some 30 requests the first time.',
  }),
  RATE_LIMIT_PER_USER_PER_MINUTE: setting(integer(1).default(600), {
    description: 'API requests of one signed-in user within a minute before they have to wait.',
  }),
  SESSION_CACHE_SECONDS: setting(integer(0, 300).default(10), {
    description: 'How long the gateway caches the user of a session. 0 asks the identity service every time.',
  }),
  STREAM_OPENINGS_PER_SECOND: setting(integer(1, 100_000).default(400), {
    description:
      'Event streams that one gateway opens in a second; after a restart browsers come back all at once. The others are asked to come back in turn.',
  }),
  UPSTREAM_TIMEOUT_SECONDS: setting(integer(1, 600).default(30), {
    description:
      'How long a service in another process may take to begin its answer, or pause within it, before the gateway times out. Event streams may be silent for any time once they have begun.',
  }),
};

export type GatewaySettings = SettingsOf<typeof gatewaySettings>;
