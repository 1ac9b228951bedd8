import { arriving, common, MIX, rate, thresholds } from './options.ts';

/** The mixed day at half the rate, plus bulk lookups of ten cases each. */
export const options = {
  ...common,
  scenarios: { day: arriving('mixedDay', rate / 2), storm: arriving('bulk', rate / 2) },
  thresholds: thresholds([...MIX, 'bulk']),
};

export { bulk, handleSummary, mixedDay } from './visitor.ts';
