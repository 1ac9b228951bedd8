import type { IncomingMessage } from 'node:http';
import { isOwnMachine } from './own-machine.ts';

/** Who may use a control API: nobody, programs on this machine, or whoever reaches the port. */
export type ControlFrom = 'nowhere' | 'this-machine' | 'anywhere';

/** What `true` and `false` mean for it: this machine, and nowhere. */
export function controlFrom(given: boolean | ControlFrom): ControlFrom {
  if (typeof given === 'string') return given;
  return given ? 'this-machine' : 'nowhere';
}

export function mayControl(req: IncomingMessage, from: ControlFrom): boolean {
  return from === 'anywhere' || (from === 'this-machine' && isOwnMachine(req));
}
