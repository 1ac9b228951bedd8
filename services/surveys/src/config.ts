import { integer, setting } from '@casewatch/service-kit/settings/settings';

/** What the surveys service reads from the environment. */
export const settings = {
  SURVEYS_DATABASE_CONNECTIONS: setting(integer(1, 1_000).default(10), {
    description: 'The most database connections of one surveys process.',
  }),
};
