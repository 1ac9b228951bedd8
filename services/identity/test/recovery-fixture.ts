import type { AccountMail } from '@casewatch/contracts/account-mails';
import { expect } from 'vitest';
import { type Options, startIdentity } from './identity-fixture.ts';

/** Of what other tests limit. */
const PLENTY = { ACCOUNT_MAILS_PER_NETWORK: '10000', SIGN_UPS_PER_ADDRESS: '10000' };

/** Identity where e-mails are sent: `mails` asks what the requested ones say, as the notifications service does. */
export async function startRecovery(options: Options = {}) {
  const identity = await startIdentity({
    ...options,
    env: { ...PLENTY, ACCOUNT_MAILS: 'true', ...options.env },
  });

  async function requested(): Promise<string[]> {
    const events = await identity.published();
    return events.flatMap(({ name, payload }) =>
      name === 'account-mail-requested' ? [(payload as { mailId: string }).mailId] : [],
    );
  }

  async function prepare(mailIds: readonly string[]): Promise<AccountMail[]> {
    if (mailIds.length === 0) return [];
    const answer = await identity.send('POST', '/internal/identity/account-mails', { body: { mailIds } });
    expect(answer.status).toBe(200);
    return ((await answer.json()) as { mails: AccountMail[] }).mails;
  }

  /** The e-mails to this address, oldest first. Each look makes other links, like each attempt to send. */
  async function mailsTo(email: string): Promise<AccountMail[]> {
    const ids = await requested();
    const mails: AccountMail[] = [];
    for (let from = 0; from < ids.length; from += 100)
      mails.push(...(await prepare(ids.slice(from, from + 100))));
    const time = ({ requestedAt }: AccountMail) => Date.parse(requestedAt);
    return mails.filter(({ to }) => to === email).toSorted((a, b) => time(a) - time(b));
  }

  return {
    ...identity,
    requested,
    prepare,
    mailsTo,
    kindsTo: async (email: string) => (await mailsTo(email)).map(({ kind }) => kind).sort(),
    /** The token of the newest e-mail of this kind. */
    async linkTo(email: string, kind: AccountMail['kind']): Promise<string> {
      const token = (await mailsTo(email)).findLast((mail) => mail.kind === kind)?.token;
      if (!token) throw new Error(`there is no link of ${kind} to ${email}`);
      return token;
    },
    forgot: (email: string, address?: string) =>
      identity.send('POST', '/api/auth/password-reset', { body: { email }, ...(address ? { address } : {}) }),
    reset: (token: string, newPassword: string) =>
      identity.send('POST', '/api/auth/password-reset/confirm', { body: { token, newPassword } }),
    confirm: (token: string) => identity.send('POST', '/api/auth/email/confirm', { body: { token } }),
    /** An account whose address is proven. */
    async verified(email: string) {
      const signedUp = await identity.signUp(email);
      const answer = await this.confirm(await this.linkTo(email, 'confirm-email'));
      expect(answer.status).toBe(200);
      return signedUp;
    },
  };
}
export type RecoveryFixture = Awaited<ReturnType<typeof startRecovery>>;
