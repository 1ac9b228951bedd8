import { readdirSync, readFileSync } from 'node:fs';

/** proc(5) counts in these; it is 100 on every Linux that Node runs on. */
const TICKS_PER_SECOND = 100;

/** Returns the processor seconds that a process has used so far: its own, and with `waitedFor` those of its children that ended. */
export function cpuSecondsOf(pid: number, { waitedFor = false } = {}): number {
  const fields = statOf(pid);
  if (!fields) return 0;
  const [user = 0, system = 0, childUser = 0, childSystem = 0] = fields.slice(11, 15).map(Number);
  return (user + system + (waitedFor ? childUser + childSystem : 0)) / TICKS_PER_SECOND;
}

/** Does the same for a server of many processes, such as PostgreSQL: those that live and those that have ended. */
export function cpuSecondsOfTree(pid: number): number {
  const own = cpuSecondsOf(pid, { waitedFor: true });
  return childrenOf(pid).reduce((sum, child) => sum + cpuSecondsOf(child), own);
}

/** Returns the processes that a process has started and that still run. */
export function childrenOf(pid: number): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((candidate) => candidate > 0 && Number(statOf(candidate)?.[1]) === pid);
}

/** The fields after the name, so that field 14 of proc(5) is at 11. */
function statOf(pid: number): string[] | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return undefined;
  }
}
