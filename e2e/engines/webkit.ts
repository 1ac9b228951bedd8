import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '@casewatch/dev-stack/free-port';
import { getWebKit, PYTHON, WEBKIT_DRIVER, XVFB } from '@casewatch/dev-stack/tools/browsers';
import type { ExpectStatic } from 'vitest';
import { type Engine, HEIGHT } from './engine.ts';

const WINDOW = path.join(import.meta.dirname, 'webkit-window.py');
/** `http://…:1:2: CONSOLE NETWORK ERROR Failed to load resource` */
const CONSOLE_ERROR = /CONSOLE (?:\w+ )*ERROR /;

type Send = <Answer>(method: string, command: string, body?: object) => Promise<Answer>;

/** Starts WebKitGTK, installed first where it is not, on a screen of its own and driven over WebDriver. */
export async function startWebKit(expect: ExpectStatic): Promise<Engine> {
  await getWebKit();
  const profile = mkdtempSync(path.join(tmpdir(), 'casewatch-webkit-'));
  const errors: string[] = [];
  const processes: ChildProcess[] = [];
  const stop = async () => {
    for (const one of processes.toReversed()) await end(one);
    rmSync(profile, { recursive: true, force: true });
  };
  try {
    const screen = spawn(XVFB, ['-displayfd', '3', '-screen', '0', `1280x${HEIGHT}x24`, '-nolisten', 'tcp'], {
      stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    });
    processes.push(screen);
    const [display] = await once(createInterface(screen.stdio[3] as Readable), 'line');
    const port = await freePort();
    const driver = spawn(WEBKIT_DRIVER, [`--port=${port}`], {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { PATH: process.env.PATH, HOME: profile, DISPLAY: `:${display}`, NO_AT_BRIDGE: '1' },
    });
    processes.push(driver);
    createInterface(driver.stderr).on('line', (line) => CONSOLE_ERROR.test(line) && errors.push(line));
    const send = await startSession(`http://127.0.0.1:${port}`, profile);
    return {
      ...engineOf(send, expect),
      errors: () => errors,
      close: () => send('DELETE', '').then(stop, stop),
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function startSession(url: string, profile: string): Promise<Send> {
  await answers(url);
  const webkit = { binary: PYTHON, args: [WINDOW, profile] };
  const { sessionId } = await call<{ sessionId: string }>(`${url}/session`, 'POST', {
    capabilities: { alwaysMatch: { 'webkitgtk:browserOptions': webkit } },
  });
  return (method, command, body) => call(`${url}/session/${sessionId}${command}`, method, body);
}

function engineOf(send: Send, expect: ExpectStatic): Omit<Engine, 'errors' | 'close'> {
  const perform = (type: string, actions: object[]) =>
    send<void>('POST', '/actions', { actions: [{ type, id: type, actions }] });
  const clickAt = (x: number, y: number, origin: object | string = 'viewport') =>
    perform('pointer', [
      { type: 'pointerMove', x, y, origin },
      { type: 'pointerDown', button: 0 },
      { type: 'pointerUp', button: 0 },
    ]);
  const type = (text: string) =>
    perform(
      'key',
      [...text].flatMap((value) => [
        { type: 'keyDown', value },
        { type: 'keyUp', value },
      ]),
    );
  const find = (value: string) => send<object>('POST', '/element', { using: 'css selector', value });
  const run: Engine['run'] = (work, ...args) =>
    send('POST', '/execute/sync', { script: `return (${work})(...arguments)`, args });
  return {
    open: (url) => send('POST', '/url', { url }),
    run,
    clickAt: (x, y) => clickAt(x, y),
    type,
    async typeInFrame(selector, texts) {
      await send('POST', '/frame', { id: await find(selector) });
      for (const [field, text] of Object.entries(texts)) {
        await clickAt(0, 0, await find(field));
        await expect.poll(() => run(hasFocus, field), { message: `the focus in ${field}` }).toBe(true);
        await type(text);
      }
      await send('POST', '/frame', { id: null });
    },
    resize: (width) => send('POST', '/window/rect', { width, height: HEIGHT }),
  };
}

/** Runs in the page. */
const hasFocus = (field: string) => document.hasFocus() && document.activeElement?.matches(field) === true;

/** @throws what the driver says is wrong */
async function call<Answer>(url: string, method: string, body: object = {}): Promise<Answer> {
  const answer = await fetch(url, { method, ...(method === 'POST' ? { body: JSON.stringify(body) } : {}) });
  const { value } = (await answer.json()) as { value: Answer & { error?: string; message?: string } };
  if (!answer.ok) throw new Error(`${value.error}: ${value.message}`);
  return value;
}

/** Waits until the driver listens. */
async function answers(url: string): Promise<void> {
  while (!(await call(`${url}/status`, 'GET').catch(() => undefined))) await sleep(20);
}

/** The driver ends its browser as it ends. */
async function end(one: ChildProcess): Promise<void> {
  if (one.exitCode !== null || one.signalCode !== null) return;
  const ended = once(one, 'exit');
  one.kill();
  await ended;
}
