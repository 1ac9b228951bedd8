import { listMailAddresses } from '@casewatch/contracts/mail-addresses';
import { AppError } from '@casewatch/service-kit/errors/app-error';
import type { ServiceClient } from '@casewatch/service-kit/http/service-client';
import type { UnsubscribeTokens } from './mailer.ts';
import type { SettingsStore } from './store.ts';
import { withoutMails } from './user-settings.ts';

interface StopEmailsDeps {
  settings: SettingsStore;
  tokens: UnsubscribeTokens | undefined;
  services: ServiceClient;
}

/**
 * Stops the e-mails of the token's kind, or all about cases, to its recipient; twice is no error. An e-mail to an address that the
 * account no longer has stops nothing: that mailbox may be another person's by now.
 * @throws AppError INVALID_SIGNATURE, or UNAVAILABLE while identity can't be asked
 */
export async function stopEmails(
  { settings, tokens, services }: StopEmailsDeps,
  token: string,
  { all, nowMs }: { all: boolean; nowMs: number },
): Promise<void> {
  const proven = tokens?.read(token);
  if (proven === undefined) throw invalid();
  const { addresses } = await services.call(listMailAddresses, { body: { userIds: [proven.userId] } });
  if (addresses.some(({ email }) => !proven.isFor(email))) throw invalid();
  const kind = all ? 'all' : proven.kind;
  await settings.change(proven.userId, (before) => withoutMails(before, kind), nowMs);
}

function invalid(): AppError {
  return new AppError('INVALID_SIGNATURE', 'stop-link-invalid');
}
