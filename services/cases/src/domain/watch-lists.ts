const DAY_MS = 86_400_000;

/** How all that users want checked is published again, so that what was lost on the way is made up for within a week. */
export const LISTS = {
  /** A day is left for those who wait because other events do. */
  everyMs: 6 * DAY_MS,
  /** Lists of all processes together. */
  perSecond: 20,
} as const;
