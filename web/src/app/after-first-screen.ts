import { followTranslation } from '../lib/follow-translation.ts';
import { leaveComposingAlone } from '../lib/leave-composing-alone.ts';

/** Starts what is not needed for the first screen; returns a function that stops it. */
export function startAfterFirstScreen(): () => void {
  const ends = [leaveComposingAlone(), followTranslation(document.body)];
  return () => {
    for (const end of ends) end();
  };
}
