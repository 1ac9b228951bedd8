import {
  chmodSync,
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
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openDataFolder } from '../src/data-folder.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'casewatch-data-'));
});
afterEach(() => {
  chmodSync(root, 0o700);
  rmSync(root, { recursive: true, force: true });
});

test('it makes the folder and keeps its secrets from one start to the next, readable by the owner alone', () => {
  const folder = path.join(root, 'deep', 'data');
  const first = openDataFolder(folder);
  first.release();
  const second = openDataFolder(folder);
  expect(second.secrets).toEqual(first.secrets);
  expect(readdirSync(folder).sort()).toEqual(['lock', 'secrets.json']);
  for (const secret of Object.values(first.secrets)) expect(secret).toMatch(/^[\w-]{22,}$/);
  expect(new Set(Object.values(first.secrets)).size).toBe(3);
  expect(statSync(path.join(folder, 'secrets.json')).mode & 0o077).toBe(0);
  second.release();
});

test('a folder in use by a living copy is refused with its process id', () => {
  const first = openDataFolder(root);
  expect(() => openDataFolder(root)).toThrow(`in use by another copy (process ${process.pid})`);
  first.release();
  openDataFolder(root).release();
});

test('the lock of a process that was killed is taken over', () => {
  writeFileSync(path.join(root, 'lock'), JSON.stringify({ pid: 2 ** 22 + 1, startedAt: '1' }));
  openDataFolder(root).release();
});

test('a lock that does not say when its process started is that of a living process with its number', () => {
  const lock = path.join(root, 'lock');
  writeFileSync(lock, JSON.stringify({ pid: process.pid, startedAt: '' }));
  expect(() => openDataFolder(root)).toThrow('in use by another copy');
  expect(readFileSync(lock, 'utf8')).toContain(String(process.pid));
});

test('the lock of a process whose number another one got is taken over', () => {
  writeFileSync(path.join(root, 'lock'), JSON.stringify({ pid: process.pid, startedAt: 'long ago' }));
  openDataFolder(root).release();
});

test('a lock file cut short by a crash is taken over', () => {
  writeFileSync(path.join(root, 'lock'), '{"pid":');
  openDataFolder(root).release();
});

test('damaged secrets are reported, not replaced: they open the database', () => {
  writeFileSync(path.join(root, 'secrets.json'), '{');
  expect(() => openDataFolder(root)).toThrow('is damaged');
  expect(readFileSync(path.join(root, 'secrets.json'), 'utf8')).toBe('{');
});

test('a path that is no folder is reported in one line', () => {
  writeFileSync(path.join(root, 'file'), '');
  expect(() => openDataFolder(path.join(root, 'file', 'data'))).toThrow("Can't write to the data folder");
});

test('what the product keeps is closed to others, also where an earlier start left it open', () => {
  const folder = path.join(root, 'data');
  openDataFolder(folder).release();
  mkdirSync(path.join(folder, 'postgres'));
  const files = ['secrets.json', 'casewatch.log', 'casewatch.log.1', 'payments-simulator.json'];
  for (const name of files.slice(1)) writeFileSync(path.join(folder, name), '');
  writeFileSync(path.join(folder, 'notes.txt'), '');
  for (const name of [...files, 'notes.txt']) chmodSync(path.join(folder, name), 0o644);
  for (const name of ['.', 'postgres']) chmodSync(path.join(folder, name), 0o755);
  const opened = openDataFolder(folder);
  const modeOf = (name: string) => (statSync(path.join(folder, name)).mode & 0o7777).toString(8);
  expect(['.', 'postgres'].map(modeOf)).toEqual(['700', '700']);
  expect([...files, 'lock'].map(modeOf)).toEqual(['600', '600', '600', '600', '600']);
  expect(modeOf('notes.txt')).toBe('644');
  opened.release();
});

test('a folder that is not the product’s own keeps its rights', () => {
  writeFileSync(path.join(root, 'of-another-program.txt'), '');
  chmodSync(root, 0o755);
  openDataFolder(root).release();
  expect(statSync(root).mode & 0o7777).toBe(0o755);
  chmodSync(root, 0o1777);
  openDataFolder(root).release();
  expect(statSync(root).mode & 0o7777).toBe(0o1777);
});
