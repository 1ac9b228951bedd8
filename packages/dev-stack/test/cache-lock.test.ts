import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { withCacheLock } from '../src/tools/cache-lock.ts';

let folder: string;
let lock: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'casewatch-cache-lock-'));
  lock = path.join(folder, 'run.lock');
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true, force: true });
});

test('a caller that stops waiting does no work and leaves the lock to its holder', async () => {
  writeFileSync(lock, String(process.pid));
  const work = vi.fn();
  const stopping = new AbortController();
  const say = vi.spyOn(console, 'error').mockImplementation(() => stopping.abort());
  const waiting = (holder: number) => `another run, process ${holder}`;
  await expect(withCacheLock(lock, work, { waiting, signal: stopping.signal })).rejects.toThrow('aborted');
  expect(say.mock.calls).toEqual([[`another run, process ${process.pid}`]]);
  expect(work).not.toHaveBeenCalled();
  expect(readFileSync(lock, 'utf8')).toBe(String(process.pid));
});

test('of two callers in one process the second begins when the first has failed', async () => {
  const order: string[] = [];
  const first = withCacheLock(lock, async () => {
    await Promise.resolve();
    order.push('first');
    throw new Error('no disk');
  });
  const second = withCacheLock(lock, async () => order.push('second'));
  await expect(first).rejects.toThrow('no disk');
  await second;
  expect(order).toEqual(['first', 'second']);
  expect(existsSync(lock)).toBe(false);
});
