import { downloadMySurveysData } from '@casewatch/contracts/my-data';
import { defineService } from '@casewatch/service-definition/define-service';
import { checkSchema } from '@casewatch/service-definition/schema-check';
import { personalDataRoute } from '@casewatch/service-kit/http/personal-data-route';
import { settings } from './config.ts';
import { openDatabase } from './data/open-database.ts';
import { userRows as users } from './data/people.ts';
import { personalData } from './data/personal-data.ts';
import { onUserDeleted } from './events/on-user-deleted.ts';
import { onUserLoggedIn } from './events/on-user-logged-in.ts';
import { createAdminRoutes, createRoutes } from './http/routes.ts';
import { migrations } from './migrations.ts';

/** Feedback surveys: made and read by administrators, shown to people when they are due. */
export const service = defineService({
  name: 'surveys',
  settings,
  migrations,
  personalData,
  init: async ({ settings, logger, clock, databaseUrl, bus }) => {
    const { store, pool, close } = openDatabase({
      url: databaseUrl,
      maximum: settings.SURVEYS_DATABASE_CONNECTIONS,
      logger,
      bus,
    });
    const surveys = { store, clock };
    return {
      routes: [
        ...createRoutes(surveys),
        ...createAdminRoutes(surveys, logger),
        personalDataRoute(downloadMySurveysData, { pool, data: personalData, logger }),
      ],
      consumers: [onUserLoggedIn({ users }), onUserDeleted({ users, clock })],
      pools: [pool],
      jobs: [],
      ready: () => checkSchema(pool, migrations),
      stop: close,
    };
  },
});
