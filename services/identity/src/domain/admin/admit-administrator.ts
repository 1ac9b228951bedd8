import { ADMIN_ROLES, type AdminRole } from '@casewatch/contracts/admin-roles';
import { uuidV7 } from '@casewatch/service-kit/database/uuid-v7';
import { AppError } from '@casewatch/service-kit/errors/app-error';
import { addressPrefix } from '@casewatch/service-kit/http/limit-key';
import type { AdminArea } from '../identity.ts';
import type { Work } from '../store.ts';
import type { Administrator } from './administrator.ts';
import { lockLastOwner, type Manager, record } from './manage-administrators.ts';
import type { Refusal } from './open-admin-session.ts';
import type { ProvidedIdentity, SignInProvider } from './sign-in-provider.ts';

/** `note`: an additional detail for the audit trail. */
type Admission = { administrator: Administrator; note?: string } | { refusal: Refusal };

interface Arrival {
  area: AdminArea;
  work: Work;
  provider: SignInProvider;
  identity: ProvidedIdentity;
  /** What the person's groups give; undefined where they give none, or the provider says nothing about them. */
  role: AdminRole | undefined;
  /** Who has to stay an owner, whatever the groups say. */
  lastOwner: string | undefined;
  address: string;
}

/**
 * Finds the administrator whom the provider has identified, within a transaction. Issuer and subject decide; the first
 * time a verified e-mail address finds who was invited, or a group creates an administrator. The role of the groups
 * counts, and its end ends every way in, except for the last owner, who stays one. An answer that does not say which groups the
 * person is in changes nothing: who has a role from a group does not get in with it.
 */
export async function admit(arrival: Omit<Arrival, 'role' | 'lastOwner'>): Promise<Admission> {
  const { work, area, identity, provider } = arrival;
  const { administrators } = work;
  const lastOwner = await lockLastOwner(area, work);
  const role = roleOf(provider, identity.groups ?? []);
  const found = { ...arrival, role, lastOwner };
  const linked = await lock(work, await administrators.byProvider(identity));
  if (linked?.provider) return returning(found, linked, linked.provider);

  const { email, emailVerified } = identity;
  if (email === undefined || !emailVerified) return refusedEmail(provider);
  const known = await lock(work, await administrators.byEmail(email));
  if (known?.provider) {
    return isSame(known.provider, identity)
      ? returning(found, known, known.provider)
      : refusedOther(provider, known);
  }
  if (known && (role !== undefined || isInvited(known, area.clock.nowMs()))) return link(found, known);
  if (known || role === undefined) return refusedRole(found);
  return create({ ...found, role }, email);
}

/** The highest of the roles that the groups give, in the order of `ADMIN_ROLES`. */
function roleOf({ roles }: SignInProvider, groups: readonly string[]): AdminRole | undefined {
  const given = new Set(groups.map((group) => roles.get(group)));
  return ADMIN_ROLES.find((role) => given.has(role));
}

/** An administrator who has accepted, or still can. */
function isInvited({ credentials, invitation }: Administrator, nowMs: number): boolean {
  return credentials !== null || (invitation !== null && invitation.expiresAtMs > nowMs);
}

const isSame = (a: { issuer: string; subject: string }, b: { issuer: string; subject: string }) =>
  a.issuer === b.issuer && a.subject === b.subject;

const lock = async ({ administrators }: Work, found: Administrator | undefined) =>
  found && administrators.lock(found.id);

async function returning(
  arrival: Arrival,
  administrator: Administrator,
  { givesRole }: NonNullable<Administrator['provider']>,
): Promise<Admission> {
  const { work, role, address, area, lastOwner } = arrival;
  const { id, email, role: before } = administrator;
  if (id === lastOwner && role !== 'owner' && (role !== undefined || givesRole)) {
    return { administrator, note: LAST_OWNER_STAYS };
  }
  if (role !== undefined) {
    if (role === before && givesRole) return { administrator };
    await work.administrators.setRole(id, role, { givenByProvider: true });
    const changed = { ...administrator, role };
    if (role !== before) {
      const details = { email, role: `${before} → ${role}`, method: METHOD };
      await record(work, actorOf(changed, address), 'administrator.role-changed', administrator, details);
    }
    return { administrator: changed };
  }
  if (!givesRole) return { administrator };
  if (!saysGroups(arrival)) return refusedRole(arrival, id);
  await work.administrators.endAccess(id);
  await work.adminSessions.endAllOf(id, area.clock.nowMs());
  const details = { email, role: before, method: METHOD };
  await record(work, actorOf(administrator, address), 'administrator.access-ended', administrator, details);
  return refusedRole(arrival, id);
}

async function link(
  { work, identity, role, address, lastOwner }: Arrival,
  administrator: Administrator,
): Promise<Admission> {
  const { issuer, subject } = identity;
  const stays = administrator.id === lastOwner && role !== undefined && role !== 'owner';
  const linked: Administrator = {
    ...administrator,
    name: administrator.name ?? identity.name ?? null,
    role: stays ? administrator.role : (role ?? administrator.role),
    invitation: null,
    provider: { issuer, subject, givesRole: role !== undefined },
  };
  await work.administrators.link(linked);
  await recordJoining(work, linked, address);
  return { administrator: linked, ...(stays ? { note: LAST_OWNER_STAYS } : {}) };
}

async function create(arrival: Arrival & { role: AdminRole }, email: string): Promise<Admission> {
  const { work, area, identity, role, address } = arrival;
  const nowMs = area.clock.nowMs();
  const administrator: Administrator = {
    id: uuidV7(nowMs),
    email,
    role,
    name: identity.name ?? null,
    credentials: null,
    invitation: null,
    provider: { issuer: identity.issuer, subject: identity.subject, givesRole: true },
    createdAtMs: nowMs,
    lastSignInAtMs: null,
  };
  // Another window of the same person was faster: that administrator is there now.
  if (!(await work.administrators.create(administrator))) return admit(arrival);
  await recordJoining(work, administrator, address);
  return { administrator };
}

const METHOD = 'single sign-on';
const LAST_OWNER_STAYS = 'the groups do not give the role of an owner; the last owner stays one';

/** Whether the answer says which groups the person is in, as far as groups give roles here. */
const saysGroups = ({ identity, provider }: Arrival) =>
  identity.groups !== undefined && provider.roles.size > 0;

const actorOf = ({ id, name, email, role }: Administrator, address: string): Manager => ({
  actor: name ?? email,
  actorId: id,
  role,
  address: addressPrefix(address),
});

function recordJoining(work: Work, administrator: Administrator, address: string): Promise<void> {
  const { email, role } = administrator;
  const by = actorOf(administrator, address);
  return record(work, by, 'administrator.joined', administrator, { email, role, method: METHOD });
}

function refusedEmail({ label }: SignInProvider): Admission {
  const en = `${label} has not verified your email address. Verify it there and start again.`;
  return {
    refusal: {
      error: new AppError('EMAIL_NOT_VERIFIED', { en }),
      reason: 'the email address is not verified',
    },
  };
}

function refusedOther({ label }: SignInProvider, { id }: Administrator): Admission {
  const en = `Your email address belongs to another account of ${label} here. Ask an owner of the admin area to remove it and invite you again.`;
  return {
    refusal: {
      error: new AppError('PERMISSION_DENIED', { en }),
      reason: 'the email address belongs to another account of the provider',
      administratorId: id,
    },
  };
}

function refusedRole(arrival: Arrival, administratorId?: string): Admission {
  const { label, roles } = arrival.provider;
  const isUnknown = roles.size > 0 && !saysGroups(arrival);
  const en = isUnknown
    ? `${label} did not say which groups you are in, so your access can’t be checked. Ask the people who run ${label} to send your groups, or an owner of the admin area for an invitation.`
    : `Your account of ${label} has no access to the admin area. Ask an owner of it for an invitation, or to be put into a group that has access.`;
  return {
    refusal: {
      error: new AppError('PERMISSION_DENIED', { en }),
      reason: isUnknown ? 'the answer of the sign-in provider names no groups' : 'no role',
      ...(administratorId === undefined ? {} : { administratorId }),
    },
  };
}
