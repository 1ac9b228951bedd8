/** Numbered SQL files of the tables that every service's schema holds: outbox, inbox, dead letters. */
export const EVENT_MIGRATIONS = new URL('../migrations/', import.meta.url);
