import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { unpackOnce } from './chromium.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'unpack-once-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

test('two runs that unpack at the same time both get a whole browser', async () => {
  const folder = path.join(root, 'browser');
  const bothBegan = Promise.withResolvers<void>();
  let began = 0;
  const unpack = async (into: string) => {
    writeFileSync(path.join(into, 'chromium'), 'half');
    began += 1;
    if (began === 2) bothBegan.resolve();
    await bothBegan.promise;
    expect(existsSync(folder) && readFileSync(path.join(folder, 'chromium'), 'utf8')).not.toBe('half');
    writeFileSync(path.join(into, 'chromium'), 'half and half');
  };
  const folders = await Promise.all([unpackOnce(folder, unpack), unpackOnce(folder, unpack)]);
  expect(folders).toEqual([folder, folder]);
  expect(readFileSync(path.join(folder, 'chromium'), 'utf8')).toBe('half and half');
  expect(readdirSync(root)).toEqual(['browser']);
});

test('a browser that could not be unpacked leaves nothing behind, and the next run tries again', async () => {
  const folder = path.join(root, 'browser');
  const failing = unpackOnce(folder, async () => {
    throw new Error('the disk is full');
  });
  await expect(failing).rejects.toThrow('the disk is full');
  expect(readdirSync(root)).toEqual([]);
  await unpackOnce(folder, async (into) => writeFileSync(path.join(into, 'chromium'), 'whole'));
  expect(readdirSync(folder)).toEqual(['chromium']);
});
