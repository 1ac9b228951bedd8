import { expect, test, vi } from 'vitest';
import { sleep } from './sleep.ts';

test('it lasts as long as asked, or until it is aborted', async () => {
  vi.useFakeTimers();
  try {
    const leave = new AbortController();
    const outcomes: string[] = [];
    void sleep(1000).then(() => outcomes.push('over'));
    void sleep(1000, leave.signal).catch(() => outcomes.push('aborted'));
    await vi.advanceTimersByTimeAsync(999);
    expect(outcomes).toEqual([]);
    leave.abort();
    await vi.advanceTimersByTimeAsync(1);
    expect(outcomes).toEqual(['aborted', 'over']);
    await expect(sleep(1000, leave.signal)).rejects.toBe(leave.signal.reason);
  } finally {
    vi.useRealTimers();
  }
});
