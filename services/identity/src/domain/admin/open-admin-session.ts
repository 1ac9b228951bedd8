import type { AdminIdentity, ResolvedAdminSession } from '@casewatch/contracts/admin-session';
import { adminActed } from '@casewatch/contracts/events';
import { AppError } from '@casewatch/service-kit/errors/app-error';
import { addressPrefix } from '@casewatch/service-kit/http/limit-key';
import type { AdminArea } from '../identity.ts';
import { hashSid } from '../session/session.ts';
import type { Store, Work } from '../store.ts';
import { openAdminSession } from './admin-session.ts';
import type { Administrator } from './administrator.ts';
import { PASSCODE_ADMIN } from './passcode.ts';

/** The browser that opens the area. */
export interface AdminBrowser {
  address: string;
  /** The admin session it had, if any: it ends. */
  oldSid: string | undefined;
  /** What it was given when it opened the area before. */
  deviceCookie: string | undefined;
}

/** `sid` and `deviceCookie` are for the cookies and nothing else. */
export interface OpenedAdmin {
  admin: AdminIdentity;
  sid: string;
  /** Undefined after a sign-in that checked no secret of ours. */
  deviceCookie?: string;
}

/** A sign-in that opened nothing: what the person reads, and what the audit trail says. */
export interface Refusal {
  error: AppError;
  reason: string;
  administratorId?: string;
}

/**
 * Opens a session of the administrator within a transaction and records it in the audit trail: the last step of each
 * way to sign in. `details` says which way it was.
 */
export async function openFor(
  { clock, lifetime }: AdminArea,
  { administrators, adminSessions, publish }: Work,
  { id, name, role, email }: Administrator,
  { address, oldSid }: AdminBrowser,
  details: Record<string, string> = {},
): Promise<OpenedAdmin> {
  const nowMs = clock.nowMs();
  if (oldSid) await adminSessions.end(hashSid(oldSid), nowMs);
  const { sid, session } = openAdminSession({ administratorId: id, address }, nowMs, lifetime);
  await adminSessions.add(session);
  await administrators.recordSignIn(id, nowMs);
  const admin = { name: name ?? email, role };
  await publish(adminActed, {
    action: 'session.opened',
    subject: 'session',
    success: true,
    sessionId: session.id,
    actor: admin.name,
    actorId: id,
    role,
    address: addressPrefix(address),
    details,
  });
  return { admin, sid };
}

/** Runs a counted attempt to sign in, and records one that is beyond a limit. */
export async function recordingTooMany<T>(
  area: { store: Store },
  by: { address: string; administratorId?: string | undefined },
  attempt: () => Promise<T>,
): Promise<T> {
  try {
    return await attempt();
  } catch (error) {
    if (error instanceof AppError && error.code === 'RATE_LIMITED') {
      await recordRefusal(area, { ...by, reason: 'too many tries' });
    }
    throw error;
  }
}

/** Records a refused sign-in, never with what was typed: an address may be anyone's. */
export function recordRefusal(
  { store }: { store: Store },
  {
    address,
    reason,
    administratorId,
  }: { address: string; reason: string; administratorId?: string | undefined },
): Promise<void> {
  return store.transaction(({ publish }) =>
    publish(adminActed, {
      action: 'session.refused',
      subject: administratorId === undefined ? 'session' : `administrator:${administratorId}`,
      success: false,
      address: addressPrefix(address),
      details: { reason },
    }),
  );
}

/**
 * Returns which admin session a cookie's value opens, with the administrator's role as it is now; undefined for one that is
 * over, never was, or was opened with a passcode that is not the present one. Counts as a use of it.
 */
export async function resolveAdminSession(
  { store, passcode, clock, lifetime }: AdminArea,
  sid: string,
): Promise<ResolvedAdminSession | undefined> {
  const nowMs = clock.nowMs();
  const used = await store.adminSessions.use(hashSid(sid), {
    passcodeFingerprint: passcode?.fingerprint,
    nowMs,
    expiresAtMs: nowMs + lifetime.idleMs,
  });
  if (!used) return undefined;
  const { id, administrator } = used;
  const { name, role } = administrator ?? PASSCODE_ADMIN;
  return { sessionId: id, name, role, administratorId: administrator?.id ?? null };
}

/** Ends the admin session of this browser; without one, or with one that is over, nothing is left to do. */
export async function logOutAdmin(
  { store, clock }: AdminArea,
  { sid, address }: { sid: string | undefined; address: string },
): Promise<void> {
  if (!sid) return;
  await store.transaction(async ({ adminSessions, publish }) => {
    const ended = await adminSessions.end(hashSid(sid), clock.nowMs());
    if (!ended) return;
    const { id, administrator } = ended;
    const { name, role } = administrator ?? PASSCODE_ADMIN;
    await publish(adminActed, {
      action: 'session.closed',
      subject: 'session',
      success: true,
      sessionId: id,
      actor: name,
      role,
      ...(administrator ? { actorId: administrator.id } : {}),
      address: addressPrefix(address),
      details: {},
    });
  });
}
