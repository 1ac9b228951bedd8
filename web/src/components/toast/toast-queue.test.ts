import { describe, expect, it } from 'vitest';
import { nextToasts, TOAST_REMOVE_DELAY_MS } from './toast-queue.ts';

const saved = nextToasts([], { type: 'show', id: 1, message: { title: 'Case saved' }, atMs: 0 });

describe('nextToasts', () => {
  it('shows a new toast at once', () => {
    expect(saved).toEqual([{ id: 1, message: { title: 'Case saved' }, shownAtMs: 0, open: true }]);
  });

  it('lets a newer toast take the place of the one that is visible', () => {
    const both = nextToasts(saved, { type: 'show', id: 2, message: { title: 'Case removed' }, atMs: 0 });
    expect(both.map(({ message }) => message.title)).toEqual(['Case removed']);
  });

  it('hides a dismissed toast but keeps it until it is removed', () => {
    const dismissed = nextToasts(saved, { type: 'dismiss', id: 1 });
    expect(dismissed).toEqual([{ id: 1, message: { title: 'Case saved' }, shownAtMs: 0, open: false }]);
    expect(nextToasts(dismissed, { type: 'remove', id: 1 })).toEqual([]);
  });

  it('keeps none once what they were about is over', () => {
    expect(nextToasts(saved, { type: 'clear' })).toEqual([]);
  });

  it('keeps a dismissed toast for a thousand seconds', () => {
    expect(TOAST_REMOVE_DELAY_MS).toBe(1_000_000);
  });

  it('leaves the visible toast alone when an older one is dismissed or removed', () => {
    expect(nextToasts(saved, { type: 'dismiss', id: 0 })).toEqual(saved);
    expect(nextToasts(saved, { type: 'remove', id: 0 })).toEqual(saved);
  });

  it('hides an error once something that was begun after it has succeeded, and nothing else', () => {
    const message = { title: 'Error', variant: 'destructive' } as const;
    const error = nextToasts([], { type: 'show', id: 3, message, atMs: 100 });
    const isOpenAfter = (sinceMs: number) => nextToasts(error, { type: 'succeed', sinceMs })[0]?.open;
    expect(isOpenAfter(101)).toBe(false);
    expect(isOpenAfter(100)).toBe(true);
    expect(nextToasts(saved, { type: 'succeed', sinceMs: 1_000 })).toEqual(saved);
  });
});
