/** What a date of a case is, as a notice prints it; `own`: one that the person set. Without zod: the web app's first load uses this too. */
export const CASE_DATE_KINDS = [
  'respond-by',
  'biometrics',
  'interview',
  'oath',
  'hearing',
  'file-by',
  'own',
] as const;
export type CaseDateKind = (typeof CASE_DATE_KINDS)[number];

/** A date of a case, as a spreadsheet has it. */
export interface WrittenDate {
  kind: CaseDateKind;
  /** As `2026-12-24`. */
  day: string;
  label?: string | null | undefined;
  done?: boolean | undefined;
}

const KIND = CASE_DATE_KINDS.join('|');
const WRITTEN = new RegExp(`^(?:(${KIND}) )?(\\d{4}-\\d\\d-\\d\\d)( done)?(?:: (.*))?$`, 'is');
/** A label may have semicolons: only one before another date ends it. */
const BETWEEN = new RegExp(`\\s*;\\s*(?=(?:(?:${KIND}) )?\\d{4}-\\d\\d-\\d\\d)`, 'i');
const BETWEENS = new RegExp(BETWEEN, 'gi');

/**
 * Returns the dates as one cell of a spreadsheet: `respond-by 2026-12-24; interview 2026-11-02 done: Room 5`. A semicolon of a label that
 * would begin another date is a comma.
 */
export function writeCaseDates(dates: readonly WrittenDate[]): string {
  return dates
    .map(({ kind, day, label, done }) => {
      const note = label ? `: ${label.replace(BETWEENS, ', ')}` : '';
      return `${kind} ${day}${done ? ' done' : ''}${note}`;
    })
    .join('; ');
}

/** Reads what `writeCaseDates` wrote; a day alone is of the kind `own`. Undefined where some of it is no date. */
export function readCaseDates(cell: string): WrittenDate[] | undefined {
  const dates: WrittenDate[] = [];
  for (const part of cell.trim().split(BETWEEN)) {
    if (part === '') continue;
    const [, kind = 'own', day = '', done, label] = WRITTEN.exec(part.replace(/[;\s]+$/, '')) ?? [];
    const known = CASE_DATE_KINDS.find((one) => one === kind.toLowerCase());
    if (!known || !isRealDay(day)) return undefined;
    dates.push({ kind: known, day, done: done !== undefined, ...(label ? { label: label.trim() } : {}) });
  }
  return dates;
}

/** Returns whether there is such a day, in a year of which notices may speak. */
export function isRealDay(day: string): boolean {
  if (!/^(?:19|20|21)\d\d-\d\d-\d\d$/.test(day)) return false;
  const ms = Date.parse(`${day}T00:00:00Z`);
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(day);
}
