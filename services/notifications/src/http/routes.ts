import * as exports from '@casewatch/contracts/exports';
import type { NotificationSettings } from '@casewatch/contracts/notification-choices';
import {
  changeNotificationSettings,
  getNotificationSettings,
} from '@casewatch/contracts/notification-settings';
import * as contract from '@casewatch/contracts/notifications';
import { type Route, route, type StreamReply, streamRoute } from '@casewatch/service-kit/http/route';
import { sendPieces } from '@casewatch/service-kit/http/send-pieces';
import type { ServiceClient } from '@casewatch/service-kit/http/service-client';
import type { Clock } from '@casewatch/service-kit/runtime/clock';
import type { Logger } from '@casewatch/service-kit/runtime/logger';
import { exportCsv, exportNdjson, requireExport } from '../domain/export-notifications.ts';
import { listNotifications, markRead } from '../domain/list-notifications.ts';
import type { UnsubscribeTokens } from '../domain/mailer.ts';
import { stopEmails } from '../domain/stop-emails.ts';
import type { NotificationSelection, SettingsStore, Store } from '../domain/store.ts';
import { requireTimeZone, wantsStatusMails, withMails } from '../domain/user-settings.ts';

export interface RoutesDeps {
  store: Store;
  settings: SettingsStore;
  /** Whether this installation sends e-mails. */
  emailOffered: boolean;
  pushOffered: boolean;
  tokens: UnsubscribeTokens | undefined;
  services: ServiceClient;
  clock: Clock;
  logger: Logger;
}

/** Returns the routes, contract by contract with its use case. */
export function createRoutes(deps: RoutesDeps): Route[] {
  const { store, settings, emailOffered, pushOffered, tokens, services, clock, logger } = deps;
  const switchOf = (chosen: NotificationSettings) => ({
    body: { email: wantsStatusMails(chosen), emailOffered },
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

    route(contract.getNotificationPreferences, async ({ caller }) =>
      switchOf(await settings.read(caller.userId)),
    ),

    route(contract.changeNotificationPreferences, async ({ caller, body }) => {
      const change = (before: NotificationSettings) => withMails(before, body.email);
      return switchOf(await settings.change(caller.userId, change, clock.nowMs()));
    }),

    route(getNotificationSettings, async ({ caller }) => ({
      body: { settings: await settings.read(caller.userId), emailOffered, pushOffered },
    })),

    route(changeNotificationSettings, async ({ caller, body }) => {
      requireTimeZone(body);
      const changed = await settings.change(caller.userId, () => body, clock.nowMs());
      return { body: { settings: changed, emailOffered, pushOffered } };
    }),

    route(contract.openUnsubscribePage, async ({ query }) => ({
      body: undefined,
      headers: { Location: `${contract.UNSUBSCRIBE_PAGE}#${encodeURIComponent(query.token)}` },
    })),

    route(contract.unsubscribe, async ({ query }) => {
      const all = query.all === 'true';
      await stopEmails({ settings, tokens, services }, query.token, { all, nowMs: clock.nowMs() });
      return { body: { ok: true as const } };
    }),
  ];
}
