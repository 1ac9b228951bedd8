import { AppError } from '@casewatch/service-kit/errors/app-error';
import type { AdminArea } from '../identity.ts';
import { admit } from './admit-administrator.ts';
import {
  type AdminBrowser,
  type OpenedAdmin,
  openFor,
  type Refusal,
  recordRefusal,
} from './open-admin-session.ts';
import { checksOf, isOpen, newAttempt } from './provider-attempt.ts';
import { ProviderFailure, type SignInProvider } from './sign-in-provider.ts';

type Outcome = { opened: OpenedAdmin } | { refusal: Refusal };

/**
 * Begins a sign-in with the provider: where the browser goes, and what it keeps until it comes back.
 * @throws AppError ADMIN_OFF or PROVIDER_UNAVAILABLE
 */
export async function beginProviderSignIn(
  area: AdminArea,
  address: string,
): Promise<{ url: string; attempt: string }> {
  const provider = configured(area);
  const attempt = newAttempt(area.clock.nowMs());
  try {
    return { url: await provider.authorizationUrl(checksOf(attempt, provider.attemptKey)), attempt };
  } catch (error) {
    const refusal = refusalOf(provider, error);
    await recordRefusal(area, { address, reason: refusal.reason });
    throw refusal.error;
  }
}

/**
 * Opens the admin area for the person that the provider names. `query` is what the provider sent the browser back
 * with, `attempt` what the browser kept. Every outcome goes to the audit trail, never with the provider's answer.
 * @throws AppError ADMIN_OFF, RATE_LIMITED, SIGN_IN_EXPIRED, SIGN_IN_REFUSED, PROVIDER_UNAVAILABLE,
 * EMAIL_NOT_VERIFIED or PERMISSION_DENIED
 */
export async function finishProviderSignIn(
  area: AdminArea,
  given: AdminBrowser & { query: string; attempt: string | undefined },
): Promise<OpenedAdmin> {
  const provider = configured(area);
  const { address } = given;
  const outcome = await area.signInThrottle.signInFrom(
    address,
    () => attemptOf(area, provider, given),
    // An outage of the provider is no guess.
    (outcome) => 'opened' in outcome || outcome.refusal.error.code === 'PROVIDER_UNAVAILABLE',
  );
  if ('opened' in outcome) return outcome.opened;
  const { error, ...recorded } = outcome.refusal;
  await recordRefusal(area, { address, ...recorded });
  throw error;
}

async function attemptOf(
  area: AdminArea,
  provider: SignInProvider,
  { query, attempt, ...browser }: AdminBrowser & { query: string; attempt: string | undefined },
): Promise<Outcome> {
  const answer = new URLSearchParams(query);
  const checks = attempt === undefined ? undefined : checksOf(attempt, provider.attemptKey);
  if (!attempt || !checks || !isOpen(attempt, checks, answer, area.clock.nowMs())) {
    return { refusal: expired() };
  }
  try {
    const identity = await provider.identify(answer, checks);
    return await area.store.transaction(async (work) => {
      const admitted = await admit({ area, work, provider, identity, address: browser.address });
      if ('refusal' in admitted) return admitted;
      const { note } = admitted;
      const details = { method: 'single sign-on', ...(note === undefined ? {} : { note }) };
      return { opened: await openFor(area, work, admitted.administrator, browser, details) };
    });
  } catch (error) {
    return { refusal: refusalOf(provider, error) };
  }
}

/** @throws AppError ADMIN_OFF */
function configured({ provider }: AdminArea): SignInProvider {
  if (provider) return provider;
  throw new AppError('ADMIN_OFF', {
    en: 'Single sign-on is off. Sign in with your administrator account.',
  });
}

function expired(): Refusal {
  const error = new AppError('SIGN_IN_EXPIRED');
  return { error, reason: 'the sign-in with the provider had expired' };
}

/** @throws what is no failure of the provider */
function refusalOf({ label }: SignInProvider, failure: unknown): Refusal {
  if (!(failure instanceof ProviderFailure)) throw failure;
  switch (failure.kind) {
    case 'unavailable':
      return {
        error: new AppError('PROVIDER_UNAVAILABLE', {
          en: `${label} can’t be reached right now. Try again in a few minutes, or sign in another way.`,
        }),
        reason: 'the sign-in provider was unavailable',
      };
    case 'canceled':
      return {
        error: new AppError('SIGN_IN_REFUSED', {
          en: `${label} did not sign you in. Start again or sign in another way.`,
        }),
        reason: 'the sign-in provider refused, or the person canceled',
      };
    case 'unverified':
      return {
        error: new AppError('SIGN_IN_REFUSED', {
          en: `The answer from ${label} could not be verified. Start again; if that does not help, ask an owner of the admin area.`,
        }),
        reason: 'the answer of the sign-in provider could not be verified',
      };
  }
}
