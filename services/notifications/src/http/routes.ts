import * as exports from '@casewatch/contracts/exports';
import * as contract from '@casewatch/contracts/notifications';
import { type Route, route, type StreamReply, streamRoute } from '@casewatch/service-kit/http/route';
import { sendPieces } from '@casewatch/service-kit/http/send-pieces';
import type { Logger } from '@casewatch/service-kit/runtime/logger';
import { exportCsv, exportNdjson, requireExport } from '../domain/export-notifications.ts';
import { listNotifications } from '../domain/list-notifications.ts';
import type { UnsubscribeTokens } from '../domain/mailer.ts';
import { markRead } from '../domain/mark-read.ts';
import { stopEmails } from '../domain/stop-emails.ts';
import type { NotificationSelection, Store } from '../domain/store.ts';
import type { StreamHub } from '../streams/stream-hub.ts';

export interface RoutesDeps {
  store: Store;
  hub: StreamHub;
  /** Whether this installation sends e-mails. */
  emailOffered: boolean;
  tokens: UnsubscribeTokens | undefined;
  logger: Logger;
}

/** Contract -> use case. */
export function createRoutes({ store, hub, emailOffered, tokens, logger }: RoutesDeps): Route[] {
  const preferencesOf = async (userId: string) => ({
    body: { email: await store.wantsEmail(userId), emailOffered },
  });

  async function download(
    format: 'csv' | 'ndjson',
    selection: NotificationSelection,
    pieces: AsyncGenerator<string>,
  ): Promise<StreamReply> {
    return {
      headers: {
        'Content-Disposition': `attachment; filename="notifications.${format}"`,
        [exports.TOTAL_COUNT_HEADER]: String(await store.countForExport(selection)),
      },
      stream: (out) => void sendPieces(pieces, out, logger),
    };
  }

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

    streamRoute(exports.exportNotificationsCsv, async ({ caller, body: { receiptNumbers, timeZone } }) => {
      requireExport(caller);
      const selection = { userId: caller.userId, receiptNumbers };
      return download('csv', selection, exportCsv(store, selection, timeZone));
    }),

    streamRoute(exports.exportNotificationsNdjson, async ({ caller, body: { receiptNumbers } }) => {
      requireExport(caller);
      const selection = { userId: caller.userId, receiptNumbers };
      return download('ndjson', selection, exportNdjson(store, selection));
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
