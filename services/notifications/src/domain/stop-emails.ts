import { AppError } from '@casewatch/service-kit/errors/app-error';
import type { UnsubscribeTokens } from './mailer.ts';
import type { SettingsStore } from './store.ts';
import { withoutMails } from './user-settings.ts';

interface StopEmailsDeps {
  settings: SettingsStore;
  tokens: UnsubscribeTokens | undefined;
}

/**
 * Stops the e-mails of the token's kind, or all about cases, to its recipient; twice is no error.
 * @throws AppError INVALID_SIGNATURE
 */
export async function stopEmails(
  { settings, tokens }: StopEmailsDeps,
  token: string,
  { all, nowMs }: { all: boolean; nowMs: number },
): Promise<void> {
  const proven = tokens?.read(token);
  if (proven === undefined) {
    const advice = 'This link is not valid. Use the link of a newer email, or the settings in your profile.';
    throw new AppError('INVALID_SIGNATURE', advice);
  }
  const kind = all ? 'all' : proven.kind;
  await settings.change(proven.userId, (before) => withoutMails(before, kind), nowMs);
}
