import type { AccountMail } from '@casewatch/contracts/account-mails';
import type { User } from '@casewatch/contracts/identity';
import { expect } from 'vitest';
import { deviceOf, type Options, PASSWORD, sidOf, startIdentity } from './identity-fixture.ts';

/** Of what other tests limit. */
const PLENTY = {
  ACCOUNT_MAILS_PER_ACCOUNT: '10000',
  ACCOUNT_MAILS_PER_NETWORK: '10000',
  SIGN_UPS_PER_ADDRESS: '10000',
};

interface Confirming {
  currentPassword?: string;
  sid?: string;
  device?: string;
}

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
    confirm: (token: string, { currentPassword = PASSWORD, ...sending }: Confirming = {}) =>
      identity.send('POST', '/api/auth/email/confirm', { ...sending, body: { token, currentPassword } }),
    /** Requests a change of the address of an account. */
    move: ({ user }: { user: User }, email: string, address?: string) =>
      identity.send('POST', '/api/auth/email', {
        as: user,
        body: { email, currentPassword: PASSWORD },
        ...(address ? { address } : {}),
      }),
    stopMove: (token: string) => identity.send('POST', '/api/auth/email/stop', { body: { token } }),
    /** An account whose address was proven in the browser that signed up. */
    async verified(email: string) {
      const { user, sid, device } = await identity.signUp(email);
      const answer = await this.confirm(await this.linkTo(email, 'confirm-email'), { sid, device });
      expect(answer.status).toBe(200);
      return { user, sid: sidOf(answer), device: deviceOf(answer) };
    },
  };
}
export type RecoveryFixture = Awaited<ReturnType<typeof startRecovery>>;
