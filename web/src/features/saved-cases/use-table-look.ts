import { useCallback, useState } from 'react';

const KEY = 'casewatch-case-table';

/** How the table looks on this device. */
export interface TableLook {
  isCompact: boolean;
  /** Columns that are not shown. */
  hidden: readonly string[];
}

const FIRST: TableLook = { isCompact: false, hidden: ['created', 'checked', 'date'] };

/** Returns how dense the table is and which columns it has, remembered on this device, and what changes it. */
export function useTableLook(): [TableLook, (change: Partial<TableLook>) => void] {
  const [look, setLook] = useState(readLook);
  const change = useCallback((wanted: Partial<TableLook>) => {
    setLook((before) => {
      const after = { ...before, ...wanted };
      try {
        localStorage.setItem(KEY, JSON.stringify(after));
      } catch {
        // Storage may be off or full; the choice then lasts as long as the page.
      }
      return after;
    });
  }, []);
  return [look, change];
}

function readLook(): TableLook {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? 'null');
    if (typeof kept !== 'object' || kept === null) return FIRST;
    const { isCompact, hidden } = kept as Record<string, unknown>;
    return {
      isCompact: isCompact === true,
      hidden: Array.isArray(hidden) ? hidden.filter((one) => typeof one === 'string') : FIRST.hidden,
    };
  } catch {
    return FIRST;
  }
}
