import { STATUSES } from '../status-guide.ts';

/**
 * Every known status title in Spanish. In a module of its own: the web app's build replaces it by its value, so that the first load
 * has the names without the guide (`web/scripts/precomputed-names.ts`).
 */
export const STATUS_NAMES_ES: Readonly<Record<string, string>> = Object.assign(
  {},
  ...STATUSES.map(({ titles }) => titles),
);
