import type { ApiLog } from '@casewatch/contracts/admin-log';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { type LogFilterTexts, type LogPage, readNewerLogs } from '../../api/admin-logs.ts';

const POLL_EVERY_MS = 2_000;
const POLL_AFTER_FAILURE_MS = 10_000;
/** Newer rows kept in the page; beyond them the older ones go, those of `base` first. */
const KEPT_MAX = 1_000;

export interface LiveTail {
  /** What has come since the tail was switched on, newest first. */
  rows: readonly ApiLog[];
  /** How many have come, also those that are no longer kept. */
  count: number;
  /** The latest count of all that fit; null until something has been asked. */
  total: { count: number; isExact: boolean } | null;
  /** The last question got no answer; it is asked again by itself. */
  isInterrupted: boolean;
}

const NOTHING: LiveTail = { rows: [], count: 0, total: null, isInterrupted: false };

/** Asks for newer calls every two seconds, from `base` on, as long as it is on and the page can be seen. */
export function useLiveTail(isOn: boolean, filters: LogFilterTexts, base: LogPage | undefined): LiveTail {
  const client = useQueryClient();
  const [tail, setTail] = useState(NOTHING);

  useEffect(() => {
    setTail(NOTHING);
    if (!isOn || base === undefined) return;
    let cursor = base.newer;
    let timer: number;
    let isOver = false;

    const ask = async () => {
      let waitMs = POLL_EVERY_MS;
      try {
        if (document.visibilityState === 'visible') {
          const answer = await readNewerLogs(client, filters, cursor);
          if (isOver) return;
          cursor = answer.newer ?? cursor;
          setTail((before) => grown(before, answer));
        }
      } catch {
        if (isOver) return;
        waitMs = POLL_AFTER_FAILURE_MS;
        setTail((before) => ({ ...before, isInterrupted: true }));
      }
      timer = window.setTimeout(() => void ask(), waitMs);
    };
    timer = window.setTimeout(() => void ask(), POLL_EVERY_MS);
    return () => {
      isOver = true;
      window.clearTimeout(timer);
    };
  }, [client, isOn, filters, base]);

  return tail;
}

function grown(tail: LiveTail, { logs, totalCount, totalIsExact }: LogPage): LiveTail {
  const known = new Set(tail.rows.map(({ id }) => id));
  const fresh = logs.filter(({ id }) => !known.has(id));
  const total = { count: totalCount, isExact: totalIsExact };
  if (fresh.length === 0) return { ...tail, total, isInterrupted: false };
  return {
    rows: [...fresh, ...tail.rows].slice(0, KEPT_MAX),
    count: tail.count + fresh.length,
    total,
    isInterrupted: false,
  };
}
