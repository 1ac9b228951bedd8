import { followTranslation } from '../lib/follow-translation.ts';
import { leaveComposingAlone } from '../lib/leave-composing-alone.ts';

/** Starts what nobody needs before the first screen is there; returns a function that ends it. */
export function startAfterFirstScreen(): () => void {
  const ends = [leaveComposingAlone(), followTranslation(document.body)];
  return () => {
    for (const end of ends) end();
  };
}
