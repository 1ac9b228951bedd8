import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Writable } from 'node:stream';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openLogFile } from '../src/log-file.ts';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'casewatch-log-'));
  file = path.join(folder, 'logs', 'casewatch.log');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const LINE = `${'x'.repeat(99)}\n`;
const modeOf = (name: string) => statSync(name).mode & 0o777;
const outages: string[] = [];
const open = (more: Partial<Parameters<typeof openLogFile>[0]> = {}) => {
  outages.length = 0;
  return openLogFile({
    file,
    maxBytes: 20_000,
    kept: 2,
    onOutage: ({ message }) => outages.push(message),
    ...more,
  });
};

test('however much is logged, the newest lines are kept in a limited number and size of files', async () => {
  const log = open();
  for (let nth = 0; nth < 2_000; nth += 1) {
    log.write(`${String(nth).padStart(5, '0')} ${LINE}`);
    // As a process that serves requests: the disk gets its turn.
    if (nth % 100 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  await log.close();
  const files = readdirSync(path.dirname(file)).sort();
  expect(files).toEqual(['casewatch.log', 'casewatch.log.1', 'casewatch.log.2']);
  for (const name of files) {
    const full = path.join(path.dirname(file), name);
    expect(statSync(full).size).toBeLessThan(20_000 + 8_192 + LINE.length);
    expect(modeOf(full)).toBe(0o600);
  }
  expect(modeOf(path.dirname(file))).toBe(0o700);
  const kept = ['.2', '.1', ''].map((end) => readFileSync(file + end, 'utf8')).join('');
  const numbers = [...kept.matchAll(/^\d{5}/gm)].map(([number]) => Number(number));
  const first = numbers[0] ?? Number.NaN;
  expect(numbers).toEqual(Array.from({ length: 2_000 - first }, (_, nth) => first + nth));
});

test('a file that others could read is closed to them, and continued', async () => {
  mkdirSync(path.dirname(file));
  writeFileSync(file, 'before\n');
  writeFileSync(`${file}.1`, 'long before\n');
  for (const name of [file, `${file}.1`]) chmodSync(name, 0o644);
  const log = open();
  log.write('after\n');
  await log.close();
  expect(readFileSync(file, 'utf8')).toBe('before\nafter\n');
  expect([modeOf(file), modeOf(`${file}.1`)]).toEqual([0o600, 0o600]);
});

test('lines that were not written yet are written when the process ends', async () => {
  const log = open();
  log.write('last words\n');
  log.finishSync();
  expect(readFileSync(file, 'utf8')).toBe('last words\n');
  // What it still opens would make the folder again.
  await log.close();
  expect(readFileSync(file, 'utf8')).toBe('last words\n');
});

test('a full disk is reported once and ends nothing; lines are dropped, counted, and written again when there is room, whatever becomes of the clock', async () => {
  let isFull = true;
  let now = 0;
  const written: string[] = [];
  const openDisk = () =>
    new Writable({
      decodeStrings: false,
      write(text: string, _encoding, done) {
        if (isFull) return done(Object.assign(new Error('no space left on device'), { code: 'ENOSPC' }));
        written.push(text);
        done();
      },
    });
  const log = open({ open: openDisk, nowMs: () => now });
  for (let round = 0; round < 3; round += 1) {
    log.write(`lost ${round}\n`);
    await expect.poll(() => outages).toEqual(['no space left on device']);
    now += 5_000;
  }
  now -= 365 * 86_400_000;
  isFull = false;
  const text = () => written.join('');
  const textLater = () => {
    now += 5_000;
    log.write('kept\n');
    return text();
  };
  await expect.poll(textLater).toContain('kept');
  await expect.poll(text).toMatch(/"lines":\d+,"msg":"log file: could not be written/);
  await log.close();
  expect(outages).toHaveLength(1);
});

test('a log file that can’t be opened is reported and ends nothing', async () => {
  mkdirSync(file, { recursive: true });
  const log = open();
  log.write('lost\n');
  await expect.poll(() => outages).toHaveLength(1);
  await log.close();
  log.finishSync();
  expect(existsSync(file)).toBe(true);
});

test('of what a slow disk has not written yet 16 MB wait; more lines are dropped, and counted', async () => {
  let finish: (() => void) | undefined;
  let isSlow = true;
  const written: { start: string; length: number }[] = [];
  const slowDisk = () =>
    new Writable({
      decodeStrings: false,
      write(text: string, _encoding, done) {
        written.push({ start: text.slice(0, 200), length: text.length });
        if (isSlow) finish = done;
        else done();
      },
    });
  const log = open({ open: slowDisk });
  const block = `${'x'.repeat(1024 * 1024 - 1)}\n`;
  for (let nth = 0; nth < 20; nth += 1) log.write(block);
  isSlow = false;
  finish?.();
  await expect.poll(() => written.length).toBeGreaterThanOrEqual(17);
  await log.close();
  expect(written.filter(({ length }) => length === block.length)).toHaveLength(17);
  expect(written.at(-1)?.start).toMatch(/^\{"level":40,.*"lines":3,"msg":"log file: could not be written/);
});

test('a log file that may not be opened again ends nothing, and is written again when it may', async () => {
  let now = 0;
  let opened = 0;
  const written: string[] = [];
  const openDisk = () => {
    opened += 1;
    // As a folder on a disk that the system has made read-only after an error.
    if (opened === 2) throw Object.assign(new Error('read-only file system'), { code: 'EROFS' });
    return new Writable({
      decodeStrings: false,
      write(text: string, _encoding, done) {
        if (opened === 1) return done(new Error('i/o error'));
        written.push(text);
        done();
      },
    });
  };
  const log = open({ open: openDisk, nowMs: () => now, maxBytes: 1 });
  const block = 'x'.repeat(8 * 1024);
  log.write(`${block}\n`);
  await expect.poll(() => outages).toEqual(['i/o error']);
  now += 4_999;
  log.write(`${block}\n`);
  expect(opened).toBe(1);
  now += 1;
  expect(() => log.write(`${block}\n`)).not.toThrow();
  expect(opened).toBe(2);
  now += 5_000;
  log.write(`kept ${block}\n`);
  await expect.poll(() => written.join('')).toContain('kept');
  await expect.poll(() => written.join('')).toContain('"lines":3');
  await log.close();
  expect(outages).toHaveLength(1);
});
