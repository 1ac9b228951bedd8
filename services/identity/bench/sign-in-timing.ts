import { logIn, signUp } from '@casewatch/contracts/identity';
import { AppError } from '@casewatch/service-kit/errors/app-error';
import { startIdentity, takeTurns } from './start-identity.ts';

/**
 * How long a refused sign-in takes with a known and with an unknown e-mail address, measured in turn. Prints both
 * medians and their difference, which should stay under 5 % on a quiet machine.
 */
const ROUNDS = 300;
const WARM_UP = 30;
const PASSWORD = 'correct horse battery';

const identity = await startIdentity({
  SIGN_IN_TRIES_PER_ACCOUNT: '1000000',
  SIGN_IN_TRIES_PER_ADDRESS: '1000000',
});
try {
  const body = { email: 'known@example.org', password: PASSWORD, firstName: 'A', lastName: 'B' };
  await identity.serve(signUp, body);
  const kinds = ['known', 'unknown'] as const;
  const { known, unknown } = await takeTurns(kinds, { rounds: ROUNDS, warmUp: WARM_UP }, (kind) => {
    const refused = { email: `${kind}@example.org`, password: 'not the password' };
    return identity.serve(logIn, refused).then(failBench, expectRefusal);
  });
  const difference = (Math.abs(known.median - unknown.median) / known.median) * 100;
  console.log(`refused sign-in, median of ${ROUNDS}, in turn`);
  console.log(`  known address    ${known.median.toFixed(2)} ms`);
  console.log(`  unknown address  ${unknown.median.toFixed(2)} ms`);
  console.log(`  difference       ${difference.toFixed(2)} %`);
} finally {
  await identity.stop();
}

function failBench(): never {
  throw new Error('a wrong password opened a session');
}

function expectRefusal(error: unknown): void {
  if (!(error instanceof AppError) || error.code !== 'INVALID_CREDENTIALS') throw error;
}
