import { requestPasswordReset } from '@casewatch/contracts/account-recovery';
import { logIn, signUp } from '@casewatch/contracts/identity';
import { AppError } from '@casewatch/service-kit/errors/app-error';
import { startIdentity, takeTurns } from './start-identity.ts';

/**
 * `npm run bench:account-timing`: how long a refused sign-in, requesting a password reset and signing up take with a known
 * and with an unknown e-mail address, in turn in one run. Their medians should differ by less than 5 %: else the time reveals who has
 * an account. ROUNDS sets how often each is called.
 */
const ROUNDS = Number(process.env.ROUNDS ?? 300);
const WARM_UP = 30;
const GOAL_PERCENT = 5;
const KINDS = ['known', 'unknown'] as const;
const MANY = '100000000';

const details = { password: 'correct horse battery', firstName: 'Ada', lastName: 'Lovelace' };
const identity = await startIdentity({
  ACCOUNT_MAILS: 'true',
  ACCOUNT_MAILS_PER_ADDRESS: MANY,
  ACCOUNT_MAILS_PER_ACCOUNT: MANY,
  ACCOUNT_MAILS_PER_NETWORK: MANY,
  SIGN_IN_TRIES_PER_ACCOUNT: MANY,
  SIGN_IN_TRIES_PER_ADDRESS: MANY,
  SIGN_UPS_PER_ADDRESS: MANY,
});
try {
  await identity.serve(signUp, { ...details, email: 'known@example.org' });
  console.log('| request | known ms (quartiles) | unknown ms (quartiles) | difference | CPU s |');
  console.log('|---|---|---|---|---|');
  await compare('sign-in', (kind) => {
    const wrong = { email: `${kind}@example.org`, password: 'not the password' };
    return identity.serve(logIn, wrong).catch(expectError('INVALID_CREDENTIALS'));
  });
  await compare('password reset', (kind) =>
    identity.serve(requestPasswordReset, { email: `${kind}@example.org` }),
  );
  await compare('sign-up', (kind, round) => {
    const email = kind === 'known' ? 'known@example.org' : `person-${round}@example.org`;
    return identity.serve(signUp, { ...details, email }).catch(expectError('EMAIL_TAKEN'));
  });
  console.log(`Medians of ${ROUNDS} each; the goal is a difference under ${GOAL_PERCENT} %.`);
} finally {
  await identity.stop();
}

async function compare(
  name: string,
  call: (kind: (typeof KINDS)[number], round: number) => Promise<unknown>,
): Promise<void> {
  const cpu = process.cpuUsage();
  const { known, unknown } = await takeTurns(KINDS, { rounds: ROUNDS, warmUp: WARM_UP }, call);
  const { user, system } = process.cpuUsage(cpu);
  const difference = (Math.abs(known.median - unknown.median) / known.median) * 100;
  const show = ({ median, low, high }: typeof known) =>
    `${median.toFixed(2)} (${low.toFixed(2)}-${high.toFixed(2)})`;
  const cpuSeconds = ((user + system) / 1e6).toFixed(1);
  console.log(`| ${name} | ${show(known)} | ${show(unknown)} | ${difference.toFixed(1)} % | ${cpuSeconds} |`);
}

function expectError(code: string) {
  return (error: unknown): void => {
    if (!(error instanceof AppError) || error.code !== code) throw error;
  };
}
