import { integer, setting } from '@casewatch/platform/config/settings';

/** What the notifications service reads from the environment. */
export const settings = {
  NOTIFICATION_STREAM_SECONDS: setting(integer(5, 3_600).default(60), {
    description:
      'A stream of notifications lasts at most this many seconds, then the browser opens it anew: how long a stream can outlive its session.',
  }),
  NOTIFICATION_HEARTBEAT_SECONDS: setting(integer(1, 300).default(20), {
    description: 'A silent stream of notifications gets a heartbeat after this many seconds.',
  }),
  NOTIFICATION_STREAMS_PER_USER: setting(integer(1, 1_000).default(6), {
    description:
      'Streams of notifications that one person may have open at one process; one more ends the oldest. The web app opens one per browser.',
  }),
  NOTIFICATION_STREAMS: setting(integer(1).default(20_000), {
    description: 'Streams of notifications that one process keeps open; one more is answered 503.',
  }),
  NOTIFICATIONS_DATABASE_CONNECTIONS: setting(integer(1, 1_000).default(10), {
    description: 'The most database connections of one notifications process.',
  }),
};

export type NotificationsSettings = typeof settings;
