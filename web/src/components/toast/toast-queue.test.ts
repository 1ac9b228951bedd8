import { describe, expect, it } from 'vitest';
import { nextToasts, TOAST_REMOVE_DELAY_MS } from './toast-queue.ts';

const saved = nextToasts([], { type: 'show', id: 1, message: { title: 'Case saved' } });

describe('nextToasts', () => {
  it('shows a new toast at once', () => {
    expect(saved).toEqual([{ id: 1, title: 'Case saved', open: true }]);
  });

  it('lets a newer toast take the place of the one that is visible', () => {
    const both = nextToasts(saved, { type: 'show', id: 2, message: { title: 'Case removed' } });
    expect(both.map((toast) => toast.title)).toEqual(['Case removed']);
  });

  it('hides a dismissed toast but keeps it until it is removed', () => {
    const dismissed = nextToasts(saved, { type: 'dismiss', id: 1 });
    expect(dismissed).toEqual([{ id: 1, title: 'Case saved', open: false }]);
    expect(nextToasts(dismissed, { type: 'remove', id: 1 })).toEqual([]);
  });

  it('keeps a dismissed toast for a thousand seconds', () => {
    expect(TOAST_REMOVE_DELAY_MS).toBe(1_000_000);
  });

  it('leaves the visible toast alone when an older one is dismissed or removed', () => {
    expect(nextToasts(saved, { type: 'dismiss', id: 0 })).toEqual(saved);
    expect(nextToasts(saved, { type: 'remove', id: 0 })).toEqual(saved);
  });
});
