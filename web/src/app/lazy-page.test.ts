import { describe, expect, it } from 'vitest';
import { isChunkError } from './lazy-page.ts';

describe('isChunkError', () => {
  it.each([
    'Failed to fetch dynamically imported module: https://x.test/assets/home-1a2b.js',
    'error loading dynamically imported module: https://x.test/assets/home-1a2b.js',
    'Importing a module script failed.',
    'Unable to preload CSS for /assets/home-1a2b.css',
  ])('knows %j', (message) => {
    expect(isChunkError(new TypeError(message))).toBe(true);
  });

  it('takes nothing else for one', () => {
    expect(isChunkError(new TypeError('x is not a function'))).toBe(false);
    expect(isChunkError('Importing a module script failed.')).toBe(false);
  });
});
