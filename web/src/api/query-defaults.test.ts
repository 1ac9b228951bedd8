import { focusManager, onlineManager, QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createQueryClient } from './query-client.ts';

const DAY_MS = 86_400_000;
let reads: number;
const read = async () => {
  reads += 1;
  return reads;
};

beforeEach(() => {
  vi.useFakeTimers();
  reads = 0;
});
afterEach(() => {
  focusManager.setFocused(undefined);
  onlineManager.setOnline(true);
  vi.useRealTimers();
});

test('data is never stale: a screen that is opened a day later shows it without reading again', async () => {
  const client = createQueryClient();
  const queryKey = ['list'];
  const leave = new QueryObserver(client, { queryKey, queryFn: read, gcTime: Infinity }).subscribe(() => {});
  await vi.advanceTimersByTimeAsync(0);
  leave();
  await vi.advanceTimersByTimeAsync(DAY_MS);
  const opened = new QueryObserver<number>(client, { queryKey, queryFn: read, gcTime: Infinity });
  opened.subscribe(() => {});
  await vi.advanceTimersByTimeAsync(0);
  expect(opened.getCurrentResult()).toMatchObject({ data: 1, isStale: false });
  expect(reads).toBe(1);
});

test.each([
  [
    'the window gets the focus back',
    () => {
      focusManager.setFocused(false);
      focusManager.setFocused(true);
    },
  ],
  [
    'the connection is back',
    () => {
      onlineManager.setOnline(false);
      onlineManager.setOnline(true);
    },
  ],
])('data on the screen is not read again when %s', async (_what, happens) => {
  const client = createQueryClient();
  client.mount();
  // Stale, so that nothing but the rule itself keeps it from being read.
  new QueryObserver(client, { queryKey: ['list'], queryFn: read, staleTime: 0 }).subscribe(() => {});
  await vi.advanceTimersByTimeAsync(0);
  happens();
  await vi.advanceTimersByTimeAsync(DAY_MS);
  client.unmount();
  expect(reads).toBe(1);
});

test('a read that fails is not retried', async () => {
  const failing = async () => {
    reads += 1;
    throw new Error('down');
  };
  const observer = new QueryObserver(createQueryClient(), { queryKey: ['list'], queryFn: failing });
  observer.subscribe(() => {});
  await vi.advanceTimersByTimeAsync(DAY_MS);
  expect(observer.getCurrentResult().isError).toBe(true);
  expect(reads).toBe(1);
});

test('a write that fails is not retried', async () => {
  const client = createQueryClient();
  let writes = 0;
  const write = client.getMutationCache().build(client, {
    mutationFn: async () => {
      writes += 1;
      throw new Error('down');
    },
  });
  const settled = expect(write.execute(undefined)).rejects.toThrow('down');
  await vi.advanceTimersByTimeAsync(DAY_MS);
  await settled;
  expect(writes).toBe(1);
});
