import type { AdminRole } from '@casewatch/contracts/admin-roles';
import { adminActed } from '@casewatch/contracts/events';
import { uuidV7 } from '@casewatch/service-kit/database/uuid-v7';
import { AppError } from '@casewatch/service-kit/errors/app-error';
import type { AuditActor } from '@casewatch/service-kit/http/route';
import { type Administrator, newInvitation, presentAdministrator } from './administrator.ts';
import type { AdminArea } from './identity.ts';
import type { Work } from './store.ts';

/** An administrator, or the operator at the command line, who has no session. */
export type Manager = Pick<AuditActor, 'actor'> & Partial<AuditActor>;
/** What inviting needs: no more than the command line has. */
export type Inviting = Pick<AdminArea, 'store' | 'clock' | 'publicUrl'>;

export interface Invited {
  administrator: Administrator;
  /** The only time that it is known. */
  link: string;
}

/** @throws AppError ADMINISTRATOR_EXISTS */
export function inviteAdministrator(
  { store, clock, publicUrl }: Inviting,
  by: Manager,
  { email, role }: { email: string; role: AdminRole },
): Promise<Invited> {
  const nowMs = clock.nowMs();
  const { invitation, link } = newInvitation(nowMs, publicUrl);
  const administrator: Administrator = {
    id: uuidV7(nowMs),
    email,
    role,
    name: null,
    credentials: null,
    invitation,
    provider: null,
    createdAtMs: nowMs,
    lastSignInAtMs: null,
  };
  return store.transaction(async (work) => {
    if (!(await work.administrators.create(administrator))) {
      throw new AppError(
        'ADMINISTRATOR_EXISTS',
        'There is an administrator with this email address already.',
      );
    }
    await record(work, by, 'administrator.invited', administrator, { email, role });
    return { administrator, link };
  });
}

/**
 * A new link for an administrator who has lost the one before, the password or the authenticator app.
 * @throws AppError NOT_FOUND
 */
export function renewInvitation(
  { store, clock, publicUrl }: Inviting,
  by: Manager,
  which: { id: string } | { email: string },
): Promise<Invited> {
  const { invitation, link } = newInvitation(clock.nowMs(), publicUrl);
  return store.transaction(async (work) => {
    const id = 'id' in which ? which.id : (await work.administrators.byEmail(which.email))?.id;
    const found = presentAdministrator(id === undefined ? undefined : await work.administrators.lock(id));
    await work.administrators.setInvitation(found.id, invitation);
    await record(work, by, 'administrator.invitation-renewed', found, { email: found.email });
    return { administrator: { ...found, invitation }, link };
  });
}

/** @throws AppError NOT_FOUND or LAST_OWNER */
export function changeRole(
  area: AdminArea,
  by: Manager,
  id: string,
  role: AdminRole,
): Promise<Administrator> {
  return area.store.transaction(async (work) => {
    const found = await lockUnlessLastOwner(area, work, id, role);
    if (found.role === role) return found;
    await work.administrators.setRole(id, role);
    const details = { email: found.email, role: `${found.role} → ${role}` };
    await record(work, by, 'administrator.role-changed', found, details);
    return { ...found, role };
  });
}

/** Their sessions end at once. @throws AppError NOT_FOUND or LAST_OWNER */
export function removeAdministrator(area: AdminArea, by: Manager, id: string): Promise<void> {
  return area.store.transaction(async (work) => {
    const found = await lockUnlessLastOwner(area, work, id);
    await work.administrators.remove(id);
    const { email, name, role } = found;
    await record(work, by, 'administrator.removed', found, {
      email,
      role,
      ...(name === null ? {} : { name }),
    });
  });
}

/**
 * The administrator, kept from changing. With the passcode there is always a way in; without it the last owner who can
 * sign in has to stay one. Owners are locked first and in one order, so that two changes at once wait for each other.
 */
async function lockUnlessLastOwner(
  { passcode, provider }: AdminArea,
  { administrators }: Work,
  id: string,
  newRole?: AdminRole,
): Promise<Administrator> {
  const owners = await administrators.lockActiveOwners({ byProvider: provider !== undefined });
  const found = presentAdministrator(await administrators.lock(id));
  const isLast = owners.includes(id) && owners.length === 1;
  if (!passcode && isLast && newRole !== 'owner') {
    throw new AppError('LAST_OWNER', 'This is the last owner. Make someone else an owner first.');
  }
  return found;
}

/** Publishes the action to the audit trail, if and only if the transaction commits. */
export function record(
  { publish }: Work,
  by: Manager,
  action: string,
  { id }: Pick<Administrator, 'id'>,
  details: Record<string, string>,
): Promise<void> {
  return publish(adminActed, { action, subject: `administrator:${id}`, success: true, ...by, details });
}
