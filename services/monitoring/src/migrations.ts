/** The numbered SQL files that make this service's schema. */
export const migrations = new URL('../migrations/', import.meta.url);
