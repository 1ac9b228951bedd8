import { AppError } from '@casewatch/service-kit/errors/app-error';
import type { UnsubscribeTokens } from './mailer.ts';
import type { Store } from './store.ts';

/** Stops the e-mails to the recipient of the token; twice is no error. @throws AppError INVALID_SIGNATURE */
export async function stopEmails(
  { store, tokens }: { store: Store; tokens: UnsubscribeTokens | undefined },
  token: string,
): Promise<void> {
  const userId = tokens?.read(token);
  if (userId === undefined) {
    const advice = 'This link is not valid. Use the link of a newer e-mail, or the switch in your profile.';
    throw new AppError('INVALID_SIGNATURE', advice);
  }
  await store.setEmail(userId, false);
}
