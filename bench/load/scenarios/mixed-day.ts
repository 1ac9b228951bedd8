import { arriving, common, MIX, rate, thresholds } from './options.ts';

/** A day as it is: mostly lookups that the store answers. The soak is the same for half an hour. */
export const options = {
  ...common,
  scenarios: { day: arriving('mixedDay', rate) },
  thresholds: thresholds(MIX),
};

export { handleSummary, mixedDay } from './visitor.ts';
