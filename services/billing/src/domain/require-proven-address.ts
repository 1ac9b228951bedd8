import { listMailAddresses } from '@casewatch/contracts/mail-addresses';
import { AppError } from '@casewatch/service-kit/errors/app-error';
import type { ServiceClient } from '@casewatch/service-kit/http/service-client';

/**
 * Refuses to sell Pro to an address that its owner has not proven: receipts and notices of a failed payment go there, and
 * an account that a stranger made with it may have to yield. Identity is asked, since a link may just have been used.
 * Resolves to the address.
 * @throws AppError EMAIL_NOT_VERIFIED, or UNAVAILABLE while identity can't be asked
 */
export async function requireProvenAddress(
  services: ServiceClient,
  userId: string,
): Promise<string | undefined> {
  const { addresses } = await services.call(listMailAddresses, { body: { userIds: [userId] } });
  if (addresses.some(({ verified }) => verified === false)) throw emailNotVerified();
  return addresses[0]?.email;
}

function emailNotVerified(): AppError {
  const advice = 'Please confirm your email address first: open the link we sent you, then come back.';
  return new AppError('EMAIL_NOT_VERIFIED', advice);
}
