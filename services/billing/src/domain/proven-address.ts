import { listMailAddresses } from '@casewatch/contracts/mail-addresses';
import { AppError } from '@casewatch/service-kit/errors/app-error';
import type { ServiceClient } from '@casewatch/service-kit/http/service-client';

/**
 * Refuses to sell Pro to an address that its owner has not proven: receipts and notices of a failed payment go there, and
 * an account that an outsider made with it may have to yield. Identity is asked, since a link may just have been used.
 * Resolves to the address.
 * @throws AppError EMAIL_NOT_VERIFIED, or UNAVAILABLE while identity can't be asked
 */
export async function requireProvenAddress(
  services: ServiceClient,
  userId: string,
): Promise<string | undefined> {
  const address = await askIdentity(services, userId);
  if (address && !address.verified) throw emailNotVerified();
  return address?.email;
}

/** Returns the user's address as it is now; undefined without an account. @throws AppError UNAVAILABLE while identity can't be asked */
export async function addressOf(services: ServiceClient, userId: string): Promise<string | undefined> {
  return (await askIdentity(services, userId))?.email;
}

async function askIdentity(services: ServiceClient, userId: string) {
  const { addresses } = await services.call(listMailAddresses, { body: { userIds: [userId] } });
  return addresses[0];
}

function emailNotVerified(): AppError {
  return new AppError('EMAIL_NOT_VERIFIED');
}
