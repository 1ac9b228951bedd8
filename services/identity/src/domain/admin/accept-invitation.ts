import type { openInvitation as contract } from '@casewatch/contracts/administrators';
import type { AnswerOf } from '@casewatch/contracts/route-contract';
import { AppError, invalidField } from '@casewatch/service-kit/errors/app-error';
import { addressPrefix } from '@casewatch/service-kit/http/limit-key';
import type { AdminArea } from '../identity.ts';
import { refuseGuessablePassword } from '../password/new-password.ts';
import { hashSid } from '../session/session.ts';
import { newCredentials } from './admin-credentials.ts';
import type { Administrator, Invitation } from './administrator.ts';
import { record } from './manage-administrators.ts';
import { matchingStep, totpUri } from './one-time-codes.ts';
import { type AdminBrowser, type OpenedAdmin, openFor } from './open-admin-session.ts';
import { deviceCookieFor } from './sign-in-administrator.ts';

/** @throws AppError INVITATION_NOT_FOUND */
export async function openInvitation(area: AdminArea, token: string): Promise<AnswerOf<typeof contract>> {
  const { email, role, invitation } = await find(area, token);
  const { totpKey } = invitation;
  return { email, role, secret: totpKey, uri: totpUri(totpKey, email) };
}

export interface Acceptance extends AdminBrowser {
  token: string;
  name: string;
  password: string;
  code: string;
}

/**
 * Sets name, password and one-time codes, ends the sessions of before, and opens the area. Of parallel ones one
 * succeeds, and the code that was given opens nothing again.
 * @throws AppError INVITATION_NOT_FOUND, or VALIDATION for a guessable password or a wrong code
 */
export async function acceptInvitation(
  area: AdminArea,
  given: Acceptance,
): Promise<OpenedAdmin & { recoveryCodes: string[] }> {
  const { store, hasher, clock } = area;
  const { token, name, password, code } = given;
  const { id, email, invitation } = await find(area, token);
  const { totpKey, tokenHash } = invitation;
  await refuseGuessablePassword('password', password, { email, firstName: name, lastName: '' });
  const step = matchingStep(totpKey, code, clock.nowMs());
  if (step === undefined) throw wrongCode();
  const { credentials, recoveryCodes, recoveryHashes } = await newCredentials(hasher, { password, totpKey });
  return store.transaction(async (work) => {
    const found = await work.administrators.lock(id);
    if (found?.invitation?.tokenHash !== tokenHash) throw notFound();
    await work.administrators.accept(id, { name, credentials, recoveryHashes, step });
    // The device that held them may be the reason for the invitation.
    await work.passkeys.removeAllOf({ administratorId: id });
    await work.passkeys.endChallengesOf({ administratorId: id });
    await work.adminSessions.endAllOf(id, clock.nowMs());
    const accepted = { ...found, name };
    const by = { actor: name, actorId: id, role: found.role, address: addressPrefix(given.address) };
    await record(work, by, 'administrator.joined', accepted, { email, role: found.role });
    const opened = await openFor(area, work, accepted, given);
    return { ...opened, deviceCookie: deviceCookieFor(id, credentials, clock.nowMs()), recoveryCodes };
  });
}

async function find(
  { store, clock }: AdminArea,
  token: string,
): Promise<Administrator & { invitation: Invitation }> {
  const found = await store.administrators.byInvitation(hashSid(token));
  if (!found?.invitation || found.invitation.expiresAtMs <= clock.nowMs()) throw notFound();
  return { ...found, invitation: found.invitation };
}

function notFound(): AppError {
  return new AppError('INVITATION_NOT_FOUND');
}

function wrongCode(): AppError {
  const en = 'This code is wrong. Wait for the next one, and check your device’s clock.';
  return invalidField('code', { en });
}
