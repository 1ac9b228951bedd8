import { arriving, common, MIX, rate, thresholds } from './options.ts';

/** A storm of sign-ins during a mixed day: each costs a password hash, which must not slow other requests down. */
export const options = {
  ...common,
  scenarios: { day: arriving('mixedDay', rate / 2), storm: arriving('signIn', rate / 5) },
  thresholds: thresholds(MIX),
};

export { handleSummary, mixedDay, signIn } from './visitor.ts';
