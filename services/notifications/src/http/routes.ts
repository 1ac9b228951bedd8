import * as contract from '@casewatch/contracts/notifications';
import { type Route, route, streamRoute } from '@casewatch/platform/http/route';
import { listNotifications } from '../domain/list-notifications.ts';
import { markRead } from '../domain/mark-read.ts';
import type { Store } from '../domain/store.ts';
import type { StreamHub } from '../streams/stream-hub.ts';

/** Contract -> use case. */
export function createRoutes(store: Store, hub: StreamHub): Route[] {
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
      return { stream: (out) => hub.add(caller.userId, start, out) };
    }),
  ];
}
