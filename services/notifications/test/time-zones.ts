import fc from 'fast-check';

export const HOUR_MS = 3_600_000;

/** With and without changes of the clocks, by an hour and by half of one, on both hemispheres and at the date line. */
export const TIME_ZONES = [
  'America/New_York',
  'America/Los_Angeles',
  'America/St_Johns',
  'America/Santiago',
  'America/Phoenix',
  'Pacific/Honolulu',
  'Pacific/Auckland',
  'Pacific/Chatham',
  'Australia/Lord_Howe',
  'Asia/Kolkata',
  'Asia/Kathmandu',
  'Asia/Tokyo',
  'Europe/London',
  'Africa/Casablanca',
] as const;

const START = Date.UTC(2025, 11, 1);
const YEARS = 3;

/** Any minute of three years, half of them within a day of a change of the clocks. */
export const momentAround = fc.oneof(
  fc.integer({ min: 0, max: YEARS * 366 * 24 * 60 }).map((minute) => () => START + minute * 60_000),
  fc
    .record({ change: fc.nat(5), minutes: fc.integer({ min: -1_500, max: 1_500 }) })
    .map(({ change, minutes }) => (timeZone: string) => {
      let zoned = Temporal.Instant.fromEpochMilliseconds(START).toZonedDateTimeISO(timeZone);
      for (let nth = 0; nth <= change; nth++) zoned = zoned.getTimeZoneTransition('next') ?? zoned;
      return zoned.epochMilliseconds + minutes * 60_000;
    }),
);
