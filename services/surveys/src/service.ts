import { downloadMySurveysData } from '@casewatch/contracts/my-data';
import { defineService } from '@casewatch/service-definition/define-service';
import { settings } from './config.ts';
import { openDatabase } from './data/open-database.ts';
import { userRows as users } from './data/people.ts';
import { personalData } from './data/personal-data.ts';
import { consumes } from './events/consumes.ts';
import { createAdminRoutes, createRoutes } from './http/routes.ts';

/** Feedback surveys: made and read by administrators, shown to people when they are due. */
export const service = defineService({
  name: 'surveys',
  settings,
  personalData,
  download: downloadMySurveysData,
  init: async ({ settings, logger, clock, databaseUrl, bus }) => {
    const { store, pool, close } = openDatabase({
      url: databaseUrl,
      maximum: settings.SURVEYS_DATABASE_CONNECTIONS,
      logger,
      bus,
    });
    const surveys = { store, clock };
    return {
      routes: [...createRoutes(surveys), ...createAdminRoutes(surveys, logger)],
      consumers: consumes(users, clock),
      pool,
      jobs: [],
      stop: close,
    };
  },
});
