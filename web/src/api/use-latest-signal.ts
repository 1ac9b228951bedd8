import { useCallback, useEffect, useRef } from 'react';

/** Gives a signal for each new call, and aborts the call before it; leaving the screen aborts the last. */
export function useLatestSignal(): () => AbortSignal {
  const latest = useRef<AbortController | null>(null);
  useEffect(() => () => latest.current?.abort(), []);
  return useCallback(() => {
    latest.current?.abort();
    latest.current = new AbortController();
    return latest.current.signal;
  }, []);
}
