import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const proto = path.join(root, 'proto');
const bufCommand = path.join(root, 'node_modules/.bin/buf');
/** The events of the last release, which consumers outside rely on; before the first one, those that it will have (`npm run record`). */
const baseline = path.join(proto, 'baseline.binpb');

let copy: string;
beforeEach(() => {
  copy = mkdtempSync(path.join(tmpdir(), 'casewatch-proto-'));
  cpSync(path.join(proto, 'buf.yaml'), path.join(copy, 'buf.yaml'));
  cpSync(path.join(proto, 'casewatch'), path.join(copy, 'casewatch'), { recursive: true });
});
afterEach(() => rmSync(copy, { recursive: true }));

function buf(...words: string[]): { ok: boolean; output: string } {
  const { status, stdout, stderr } = spawnSync(bufCommand, words, { encoding: 'utf8' });
  return { ok: status === 0, output: stdout + stderr };
}

function edit(event: string, from: string, to: string): void {
  const file = path.join(copy, 'casewatch/events/v1', `${event}.proto`);
  const text = readFileSync(file, 'utf8');
  expect(text).toContain(from);
  writeFileSync(file, text.replace(from, to));
}

test('the events keep the rules of buf lint', () => {
  expect(buf('lint', proto)).toEqual({ ok: true, output: '' });
});

test('no change breaks readers of the baseline (buf breaking, WIRE_JSON)', () => {
  expect(buf('breaking', proto, '--against', baseline)).toEqual({ ok: true, output: '' });
});

test.each<[string, string, string, string]>([
  ['a field renamed', 'user_deleted', 'string user_id = 1', 'string account_id = 1'],
  ['a removed field', 'user_changed', '  string name = 2;\n', ''],
  ['a field of another type', 'user_logged_in', 'int32 login_count = 2', 'string login_count = 2'],
  ['a field with another number', 'status_changed', 'string new_status = 4', 'string new_status = 9'],
])('shown able to fail: %s is refused', (_, event, from, to) => {
  edit(event, from, to);
  expect(buf('breaking', copy, '--against', baseline).ok).toBe(false);
});

test('an added field is no break', () => {
  edit('user_deleted', 'string user_id = 1;', 'string user_id = 1;\n  optional string reason = 2;');
  expect(buf('breaking', copy, '--against', baseline)).toEqual({ ok: true, output: '' });
});

test('shown able to fail: a name against the rules is refused by buf lint', () => {
  edit('user_deleted', 'string user_id = 1', 'string userId = 1');
  expect(buf('lint', copy).output).toContain('lower_snake_case');
});
