import type { AdminRole } from '@casewatch/contracts/admin-roles';
import { adminActed } from '@casewatch/contracts/events';
import { uuidV7 } from '@casewatch/service-kit/database/uuid-v7';
import { AppError } from '@casewatch/service-kit/errors/app-error';
import { type AuditActor, permissionDenied } from '@casewatch/service-kit/http/route';
import type { AdminArea } from '../identity.ts';
import type { Work } from '../store.ts';
import { type Administrator, newInvitation, presentAdministrator } from './administrator.ts';

/** An administrator, or the operator at the command line, who has no session. */
export type Manager = Pick<AuditActor, 'actor'> & Partial<AuditActor>;
/** What inviting needs: no more than the command line has. */
export type Inviting = Pick<AdminArea, 'store' | 'clock' | 'publicUrl'> &
  Partial<Pick<AdminArea, 'provider'>>;

export interface Invited {
  administrator: Administrator;
  /** The only time that it is known. */
  link: string;
}

/** @throws AppError ADMINISTRATOR_EXISTS or PERMISSION_DENIED */
export function inviteAdministrator(
  inviting: Inviting,
  by: Manager,
  { email, role }: { email: string; role: AdminRole },
): Promise<Invited> {
  const nowMs = inviting.clock.nowMs();
  const { invitation, link } = newInvitation(nowMs, inviting.publicUrl);
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
  return inviting.store.transaction(async (work) => {
    await lockManaged(inviting, work, by, undefined);
    if (!(await work.administrators.create(administrator))) {
      throw new AppError('ADMINISTRATOR_EXISTS');
    }
    await record(work, by, 'administrator.invited', administrator, { email, role });
    return { administrator, link };
  });
}

/**
 * Returns a new link for an administrator who has lost the one before, the password or the authenticator app.
 * @throws AppError NOT_FOUND or PERMISSION_DENIED
 */
export function renewInvitation(
  inviting: Inviting,
  by: Manager,
  which: { id: string } | { email: string },
): Promise<Invited> {
  const { invitation, link } = newInvitation(inviting.clock.nowMs(), inviting.publicUrl);
  return inviting.store.transaction(async (work) => {
    const id = 'id' in which ? which.id : (await work.administrators.byEmail(which.email))?.id;
    const found = presentAdministrator(await lockManaged(inviting, work, by, id));
    await work.administrators.setInvitation(found.id, invitation);
    await record(work, by, 'administrator.invitation-renewed', found, { email: found.email });
    return { administrator: { ...found, invitation }, link };
  });
}

/** @throws AppError NOT_FOUND, LAST_OWNER or PERMISSION_DENIED */
export function changeRole(
  area: AdminArea,
  by: Manager,
  id: string,
  role: AdminRole,
): Promise<Administrator> {
  return area.store.transaction(async (work) => {
    const found = await lockUnlessLastOwner(area, work, by, { id, role });
    if (found.role === role) return found;
    await work.administrators.setRole(id, role);
    const details = { email: found.email, role: `${found.role} → ${role}` };
    await record(work, by, 'administrator.role-changed', found, details);
    return { ...found, role };
  });
}

/** Removes an administrator, whose sessions end at once. @throws AppError NOT_FOUND, LAST_OWNER or PERMISSION_DENIED */
export function removeAdministrator(area: AdminArea, by: Manager, id: string): Promise<void> {
  return area.store.transaction(async (work) => {
    const found = await lockUnlessLastOwner(area, work, by, { id });
    await work.administrators.remove(id);
    const { email, name, role } = found;
    await record(work, by, 'administrator.removed', found, {
      email,
      role,
      ...(name === null ? {} : { name }),
    });
  });
}

/** The administrator, kept from changing. */
async function lockUnlessLastOwner(
  area: AdminArea,
  work: Work,
  by: Manager,
  { id, role }: { id: string; role?: AdminRole },
): Promise<Administrator> {
  const lastOwner = await lockLastOwner(area, work);
  const found = presentAdministrator(await lockManaged(area, work, by, id));
  if (lastOwner === id && role !== 'owner') {
    throw new AppError('LAST_OWNER');
  }
  return found;
}

/**
 * Locks the administrator, after all owners, so that no two changes wait for each other in a circle. An owner who has lost the role, or
 * every way to sign in, since the request was admitted does nothing any more.
 */
async function lockManaged(
  { provider }: Partial<Pick<AdminArea, 'provider'>>,
  { administrators }: Work,
  { actorId }: Manager,
  id: string | undefined,
): Promise<Administrator | undefined> {
  if (actorId !== undefined) {
    await administrators.lockActiveOwners({ issuer: provider?.issuer });
    const actor = await administrators.lock(actorId);
    const isOwner = actor?.role === 'owner' && (actor.credentials !== null || actor.provider !== null);
    if (!isOwner) throw permissionDenied();
  }
  return id === undefined ? undefined : administrators.lock(id);
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

/**
 * Returns the owner who has to stay one, since no other could open the area then: the last who can sign in. With the passcode there
 * is always a way in, and no owner has to stay.
 *
 * Locks the owners in one order until the transaction ends. Call it before any other administrator is locked, so that two changes at
 * once wait for each other instead of taking the last two owners.
 */
export async function lockLastOwner(
  { passcode, provider }: Pick<AdminArea, 'passcode' | 'provider'>,
  { administrators }: Work,
): Promise<string | undefined> {
  const owners = await administrators.lockActiveOwners({ issuer: provider?.issuer });
  return !passcode && owners.length === 1 ? owners[0] : undefined;
}
