/** Returns the time zone of this device. */
export const ownTimeZone = () => new Intl.DateTimeFormat().resolvedOptions().timeZone;
