import { downloadMyNotificationsData } from '@casewatch/contracts/my-data';
import { defineService } from '@casewatch/service-definition/define-service';
import { createDatabaseClock } from '@casewatch/service-kit/database/database-clock';
import { poolExecutor } from '@casewatch/service-kit/database/sql-executor';
import { inTransaction } from '@casewatch/service-kit/database/transaction';
import { createRemovalJob } from '@casewatch/service-kit/runtime/removal-job';
import { settings } from './config.ts';
import { readLevels } from './data/deliveries.ts';
import { openDatabase } from './data/open-database.ts';
import { personalData } from './data/personal-data.ts';
import { countMails, countPushes, measureMails, measurePushes } from './delivery-metrics.ts';
import type { Channel } from './domain/choose-deliveries.ts';
import { createDeviceSessions } from './domain/device-sessions.ts';
import { createNotifyUsers } from './domain/notify-users.ts';
import { notificationsSince } from './domain/retention.ts';
import { consumes } from './events/consumes.ts';
import { mailReportRoute } from './http/mail-report-route.ts';
import { createPushRoutes } from './http/push-routes.ts';
import { createRoutes } from './http/routes.ts';
import { createRemindOfDatesJob } from './jobs/remind-of-dates-job.ts';
import { openSignal } from './live/live-signal.ts';
import { openLive } from './live/open-live.ts';
import { openMailing } from './mail/open-mailing.ts';
import { readMailReport } from './mail/read-mail-report.ts';
import { openPushing } from './web-push/open-pushing.ts';

const HOUR_MS = 3_600_000;

/** Notices of status changes and of the user's plan: the list, the stream that brings them to open browsers, e-mails and push messages. */
export const service = defineService({
  name: 'notifications',
  settings,
  personalData,
  download: downloadMyNotificationsData,
  init: async ({
    settings,
    logger,
    clock: processClock,
    databaseUrl,
    directDatabaseUrl,
    pubSub,
    services,
    telemetry,
  }) => {
    const { meter } = telemetry;
    const database = openDatabase({
      url: databaseUrl,
      maximum: settings.NOTIFICATIONS_DATABASE_CONNECTIONS,
      logger,
    });
    const { store, received, logs, digestSchedules, pushDevices, pool, close } = database;
    // What is due is decided by it.
    const clock = createDatabaseClock(poolExecutor(pool), processClock);
    const months = settings.NOTIFICATION_MONTHS;
    const count = countMails(meter);
    const mailing = await openMailing(settings, {
      logs,
      digestSchedules: digestSchedules.email,
      services,
      clock,
      logger,
      count,
    });
    const deviceSessions = createDeviceSessions(services);
    const pushing = await openPushing(settings, {
      ...countPushes(meter),
      logs,
      digestSchedules: digestSchedules.push,
      devices: pushDevices,
      sessions: deviceSessions,
      services,
      clock,
      logger,
    });
    const sendJobs = [...mailing.jobs, ...(pushing?.jobs ?? [])];
    const byEmail = mailing.jobs.length > 0;
    const channels = new Set<Channel>();
    if (byEmail) channels.add('email');
    if (pushing) channels.add('push');
    measureMails(meter, () => readLevels(pool, clock, 'email'));
    measurePushes(meter, () => readLevels(pool, clock, 'push'));
    const signal = openSignal({ pubSub, directDatabaseUrl, clock: processClock, logger, telemetry });
    const streams = openLive({ settings, store, signal, clock: processClock, logger, telemetry });
    const notifySenders = () => {
      for (const job of sendJobs) job.notify();
    };
    const notifyUsers = createNotifyUsers({ rows: received, signal, clock, channels, months, notifySenders });
    const reminders = createRemindOfDatesJob({
      services,
      settings: database.settings,
      notifyUsers,
      inTransaction: (work) => inTransaction(pool, work),
      clock,
      logger,
    });
    return {
      routes: [
        ...createRoutes({
          store,
          settings: database.settings,
          emailOffered: byEmail,
          pushOffered: channels.has('push'),
          tokens: mailing.tokens,
          services,
          clock,
          logger,
        }),
        streams.route,
        mailReportRoute({
          secrets: settings.MAIL_REPORT_SECRET ?? [],
          read: readMailReport,
          tags: mailing.tags,
          tokens: mailing.tokens,
          settings: database.settings,
          services,
          clock,
          logger,
        }),
        ...createPushRoutes({ devices: pushDevices, sessions: deviceSessions, pushing, clock }),
      ],
      consumers: consumes({ rows: received, notifyUsers, signal, clock, meter, byEmail, notifySenders }),
      pool,
      jobs: [
        streams.job,
        ...sendJobs,
        reminders,
        createRemovalJob({
          name: 'remove-old-notifications',
          everyMs: HOUR_MS,
          clock,
          logger,
          removals: [
            async (limit) => store.removeBefore(notificationsSince(await clock.read(), months), limit),
          ],
        }),
      ],
      stop: async () => {
        await streams.stop();
        await close();
      },
    };
  },
});
