import { readFileSync } from 'node:fs';

const MS_PER_TICK = 10;

/** Returns the processor time that a process has used, in user code and in the kernel (proc(5)); Linux only. */
export function cpuMsOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * MS_PER_TICK;
}

/** Megabytes that a process holds: its RSS, and its PSS (shared pages divided among the processes that share them). */
export function memoryOf(pid: number): { rss: number; pss: number } {
  return {
    rss: megabytes(readFileSync(`/proc/${pid}/status`, 'utf8'), 'VmRSS'),
    pss: megabytes(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'), 'Pss'),
  };
}

function megabytes(text: string, name: string): number {
  const kilobytes = new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text)?.[1];
  return Math.round(Number(kilobytes) / 1024);
}
