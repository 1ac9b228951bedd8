import { describe, expect, it } from 'vitest';
import { forgetSkipped, readSkipped, writeSkipped } from './skipped-surveys.ts';

describe('skipped surveys', () => {
  it('are kept for one user alone, until the session is over', () => {
    const kept = memory();
    const store = () => kept;
    writeSkipped(store, 'ada', ['one', 'two']);
    expect(readSkipped(store, 'ada')).toEqual(['one', 'two']);
    expect(readSkipped(store, 'ben')).toEqual([]);
    forgetSkipped(store);
    expect(readSkipped(store, 'ada')).toEqual([]);
  });

  it.each(['not json', '[]', '{"userId":"ada"}', '{"userId":"ada","ids":[1]}'])(
    'are none when %j is what was kept',
    (kept) => {
      expect(readSkipped(() => ({ ...memory(), getItem: () => kept }), 'ada')).toEqual([]);
    },
  );

  it('are no reason to fail where a browser keeps nothing', () => {
    const closed = () => {
      throw new Error('denied');
    };
    expect(readSkipped(closed, 'ada')).toEqual([]);
    expect(() => writeSkipped(closed, 'ada', ['one'])).not.toThrow();
    expect(() => forgetSkipped(closed)).not.toThrow();
  });
});

function memory(): Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> {
  const kept = new Map<string, string>();
  return {
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => void kept.set(key, value),
    removeItem: (key) => void kept.delete(key),
  };
}
