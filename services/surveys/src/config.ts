import { databaseConnections } from '@casewatch/service-kit/settings/shared-settings';

/** What the surveys service reads from the environment. */
export const settings = {
  SURVEYS_DATABASE_CONNECTIONS: databaseConnections('surveys', 10),
};
