import type { ApiLog } from '@casewatch/contracts/admin-log';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { type LogFilterTexts, type LogPage, NEWER_LOGS_MAX, readNewerLogs } from '../../../api/admin-logs.ts';

const POLL_EVERY_MS = 2_000;
const POLL_AFTER_FAILURE_MS = 10_000;
/** How much later than a newer one a row may be stored: processes write theirs in parallel. */
const STORED_LATE_MS = 10_000;
/** Newer rows kept in the page; beyond them the older ones go, those of `base` first. */
const KEPT_MAX = 1_000;

export interface LiveTail {
  /** What has come since the tail was switched on, newest first: each in its place, also one that came late. */
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
    let known = recent(base.logs);
    let timer: number;
    let isOver = false;

    const ask = async () => {
      let waitMs = POLL_EVERY_MS;
      try {
        if (document.visibilityState === 'visible') {
          for (let cursor = known.at(-1)?.place ?? base.newer, isAll = false; !isAll; ) {
            const answer = await readNewerLogs(client, filters, cursor);
            if (isOver) return;
            const fresh = answer.logs.filter(({ id }) => known.every((row) => row.id !== id));
            known = newestFirst([...fresh, ...known]);
            setTail((before) => grown(before, fresh, answer));
            cursor = answer.newer;
            isAll = answer.logs.length < NEWER_LOGS_MAX;
          }
          known = recent(known);
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

/** The rows that a late one may have its place among, and the one before them, which is asked from. */
function recent(rows: readonly ApiLog[]): readonly ApiLog[] {
  const newest = rows[0];
  if (newest === undefined) return [];
  const sinceMs = Date.parse(newest.createdAt) - STORED_LATE_MS;
  const before = rows.findIndex(({ createdAt }) => Date.parse(createdAt) < sinceMs);
  return before === -1 ? rows : rows.slice(0, before + 1);
}

/** Returns them as the server orders them. */
export function newestFirst(rows: readonly ApiLog[]): readonly ApiLog[] {
  const keyOf = ({ createdAt, id }: ApiLog) => `${createdAt} ${id}`;
  return [...rows].sort((a, b) => (keyOf(a) < keyOf(b) ? 1 : -1));
}

function grown(tail: LiveTail, fresh: readonly ApiLog[], { totalCount, totalIsExact }: LogPage): LiveTail {
  const total = { count: totalCount, isExact: totalIsExact };
  if (fresh.length === 0) return { ...tail, total, isInterrupted: false };
  return {
    rows: newestFirst([...fresh, ...tail.rows]).slice(0, KEPT_MAX),
    count: tail.count + fresh.length,
    total,
    isInterrupted: false,
  };
}
