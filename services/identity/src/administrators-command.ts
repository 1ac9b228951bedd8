import type { AdminRole } from '@casewatch/contracts/admin-roles';
import type { EventBus } from '@casewatch/messaging/event-bus';
import type { Clock } from '@casewatch/service-kit/runtime/clock';
import type { Logger } from '@casewatch/service-kit/runtime/logger';
import { openDatabase } from './data/open-database.ts';
import { toShown } from './domain/admin/administrator.ts';
import { inviteAdministrator, renewInvitation } from './domain/admin/manage-administrators.ts';

const OPERATOR = { actor: 'command line' };

/** Returns what an operator can do about administrators without signing in; every change goes to the audit trail. */
export function openAdministratorsCommand(options: {
  url: string;
  publicUrl: string;
  clock: Clock;
  bus: EventBus;
  logger: Logger;
}) {
  const { store, close } = openDatabase({ ...options, maximum: 1, sendsMails: true });
  const inviting = { store, clock: options.clock, publicUrl: options.publicUrl };
  return {
    /** Resolves to the link, which works once. @throws AppError ADMINISTRATOR_EXISTS */
    invite: async (email: string, role: AdminRole) =>
      (await inviteAdministrator(inviting, OPERATOR, { email, role })).link,
    /** Resolves to a new link, by which everything is set anew. @throws AppError NOT_FOUND */
    renew: async (email: string) => (await renewInvitation(inviting, OPERATOR, { email })).link,
    list: async () => (await store.administrators.list()).map(toShown),
    close,
  };
}
