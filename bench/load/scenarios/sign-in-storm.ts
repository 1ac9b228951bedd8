import { arriving, common, MIX, rate, thresholds } from './options.ts';

/** Everybody signs in at once, beside a mixed day: each sign-in costs a password hash, which others must not feel. */
export const options = {
  ...common,
  scenarios: { day: arriving('mixedDay', rate / 2), storm: arriving('signIn', rate / 5) },
  thresholds: thresholds(MIX),
};

export { handleSummary, mixedDay, signIn } from './visitor.ts';
