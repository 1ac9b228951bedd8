import { appendFileSync, chmodSync, existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import type { Writable } from 'node:stream';
import { steadyTime } from '@casewatch/service-kit/runtime/steady-time';
import { createStream } from 'rotating-file-stream';

export interface LogFileOptions {
  file: string;
  /** The file is moved to `<file>.1` when it reaches this many bytes. */
  maxBytes: number;
  /** How many moved files are kept: `<file>.1` is the newest. */
  kept: number;
  /** Called once for each outage of the file, such as a full disk. */
  onOutage(error: Error): void;
  nowMs?: () => number;
  /** Opens the rotating file. */
  open?: () => Writable;
}

/** Written in blocks: a write per line costs more than all else the log does. Only a process that is killed loses any. */
const BLOCK_CHARACTERS = 8 * 1024;
const FLUSH_MS = 250;
/** Lines that wait for a slow disk; more are dropped. */
const MAX_WAITING_BYTES = 16 * 1024 * 1024;
const REOPEN_AFTER_MS = 5_000;

/**
 * Opens a log file that rotates by size, readable by its owner alone, also where it was wider before. When it can't be
 * written, lines are dropped and the file is opened again every 5 s: a full disk never ends the product.
 */
export function openLogFile(options: LogFileOptions) {
  const { file, nowMs = Date.now, open = () => openRotating(options) } = options;
  const time = steadyTime({ nowMs });
  let lines = '';
  let dropped = 0;
  let closedAtMs: number | undefined;
  /** Blocks that are handed over and not yet written, oldest first. */
  const waiting = new Set<{ text: string }>();
  let stream = openStream();
  const timer = setInterval(flush, FLUSH_MS).unref();

  function openStream(): Writable {
    const opened = open();
    opened.on('error', (error) => {
      if (stream !== opened || closedAtMs !== undefined) return;
      closedAtMs = time();
      if (dropped === 0) options.onOutage(error);
      for (const { text } of waiting) dropped += countLines(text);
      waiting.clear();
    });
    return opened;
  }

  function openAgain(): void {
    try {
      stream = openStream();
      closedAtMs = undefined;
    } catch {
      // The file or its folder may not be used: the outage continues.
      closedAtMs = time();
    }
  }

  function flush(): void {
    if (lines === '') return;
    const block = { text: lines };
    lines = '';
    if (closedAtMs !== undefined && time() - closedAtMs >= REOPEN_AFTER_MS) openAgain();
    if (closedAtMs !== undefined || stream.writableLength > MAX_WAITING_BYTES) {
      dropped += countLines(block.text);
      return;
    }
    waiting.add(block);
    stream.write(block.text, (error) => {
      if (error || !waiting.delete(block) || dropped === 0) return;
      lines = `${droppedLine(dropped, nowMs())}${lines}`;
      dropped = 0;
    });
  }

  return {
    write(line: string): void {
      lines += line;
      if (lines.length >= BLOCK_CHARACTERS) flush();
    },
    /** Writes what is left and closes the file. */
    close: async () => {
      flush();
      clearInterval(timer);
      if (closedAtMs === undefined) await new Promise<void>((resolve) => stream.end(resolve));
    },
    /** Writes what is left at once, for a process that is about to end. */
    finishSync: () => {
      try {
        appendFileSync(file, [...waiting].map(({ text }) => text).join('') + lines, { mode: 0o600 });
      } catch {
        // The disk is full: the process ends without its last lines.
      }
      lines = '';
      waiting.clear();
    },
  };
}

function openRotating({ file, maxBytes, kept }: LogFileOptions): Writable {
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  for (let nth = 0; nth <= kept; nth += 1) {
    const old = nth === 0 ? file : `${file}.${nth}`;
    if (existsSync(old)) chmodSync(old, 0o600);
  }
  return createStream(path.basename(file), {
    path: path.dirname(file),
    size: `${maxBytes}B`,
    rotate: kept,
    mode: 0o600,
  });
}

const countLines = (text: string) => text.split('\n').length - 1;

const droppedLine = (lines: number, ms: number) =>
  `${JSON.stringify({ level: 40, time: new Date(ms).toISOString(), lines, msg: 'log file: could not be written, lines were dropped' })}\n`;
