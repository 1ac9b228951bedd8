import * as contract from '@casewatch/contracts/notifications';
import { type Route, route, streamRoute } from '@casewatch/service-kit/http/route';
import { listNotifications } from '../domain/list-notifications.ts';
import type { UnsubscribeTokens } from '../domain/mailer.ts';
import { markRead } from '../domain/mark-read.ts';
import { stopEmails } from '../domain/stop-emails.ts';
import type { Store } from '../domain/store.ts';
import type { StreamHub } from '../streams/stream-hub.ts';

export interface RoutesDeps {
  store: Store;
  hub: StreamHub;
  /** Whether this installation sends e-mails. */
  emailOffered: boolean;
  tokens: UnsubscribeTokens | undefined;
}

/** Contract -> use case. */
export function createRoutes({ store, hub, emailOffered, tokens }: RoutesDeps): Route[] {
  const preferencesOf = async (userId: string) => ({
    body: { email: await store.wantsEmail(userId), emailOffered },
  });

  return [
    route(contract.listNotifications, async ({ caller, query }) => {
      const { notifications, unread } = await listNotifications(store, caller.userId, query);
      return { body: notifications, headers: { [contract.UNREAD_COUNT_HEADER]: String(unread) } };
    }),

    route(contract.markNotificationRead, async ({ caller, params }) => ({
      body: await markRead(store, caller.userId, params.id),
    })),

    route(contract.markAllNotificationsRead, async ({ caller }) => ({
      body: { ok: true as const, count: await store.markAllRead(caller.userId) },
    })),

    streamRoute(contract.streamNotifications, async ({ caller, query, request }) => {
      const start = await hub.admit(caller.userId, request.lastEventId ?? query.after);
      return { stream: (out) => (start ? hub.add(caller.userId, start, out) : hub.turnAway(out)) };
    }),

    route(contract.getNotificationPreferences, async ({ caller }) => preferencesOf(caller.userId)),

    route(contract.changeNotificationPreferences, async ({ caller, body }) => {
      await store.setEmail(caller.userId, body.email);
      return preferencesOf(caller.userId);
    }),

    route(contract.openUnsubscribePage, async ({ query }) => ({
      body: undefined,
      headers: { Location: `${contract.UNSUBSCRIBE_PAGE}#${encodeURIComponent(query.token)}` },
    })),

    route(contract.unsubscribe, async ({ query }) => {
      await stopEmails({ store, tokens }, query.token);
      return { body: { ok: true as const } };
    }),
  ];
}
