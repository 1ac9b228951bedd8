import type { PaymentsState } from './payments-state.ts';
import { saveState } from './state-file.ts';

/** Changes that follow each other within this time are written once. */
const GATHER_MS = 100;

export interface StateSaver {
  changed(): void;
  /** Writes the state as it is now. */
  stop(): void;
}

/** Without a file it does nothing. */
export function createStateSaver(state: PaymentsState, file: string | undefined): StateSaver {
  let timer: NodeJS.Timeout | undefined;
  const save = () => {
    timer = undefined;
    if (file !== undefined) saveState(file, state);
  };
  return {
    changed: () => {
      if (file !== undefined) timer ??= setTimeout(save, GATHER_MS);
    },
    stop: () => {
      clearTimeout(timer);
      save();
    },
  };
}
