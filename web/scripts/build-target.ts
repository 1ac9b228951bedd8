import { OLDEST_BROWSERS } from '../src/config/product.ts';

/** What scripts and styles are compiled for, as Vite names it. */
export const buildTarget: string[] = Object.entries(OLDEST_BROWSERS).map(([name, version]) => name + version);
