import { type CaseRecord, makeUpCase, moveCase } from './case-record.ts';
import { FORMS } from './data/forms.ts';

/** The receipt numbers that the agency's sandbox publishes, by what they show. */
export const WITH_HISTORY: readonly string[] = [
  ...numbers('EAC9999103', [403, 404, 405, 410, 411, 416, 419]),
  ...numbers('LIN9999106', [498, 499, 504, 505, 506]),
  ...numbers('SRC9999102', [777, 778, 779, 780, 781, 782, 783, 784, 785, 786, 787]),
  ...numbers('SRC9999132', [710, 719]),
];

export const WITHOUT_HISTORY: readonly string[] = [
  ...numbers('EAC9999103', [400, 402, 406, 407, 408, 409, 412, 413, 414, 415, 420, 421]),
  ...numbers('EAC9999103', [424, 425, 426, 428, 429, 431, 432]),
  ...numbers('LIN9999106', [501, 507]),
  ...numbers('SRC9999132', [694, 695, 706, 707]),
];

/** Published elsewhere than in its documentation. */
export const ALSO_KNOWN: readonly string[] = [
  ...['WAC0000000000', 'WAC0000000001', 'WAC1234567890', 'WAC9999999999'],
  ...['LIN0000000000', 'SRC0000000000', 'MSC0000000000', 'YSC0000000000'],
  ...['YSC0000000001', 'IOE9999999999', 'IOE1234567890'],
];
/** Forms that the agency writes in no usual way. */
const ODD_FORMS: Readonly<Record<string, string>> = { YSC0000000001: 'I-140G', IOE9999999999: 'OS155A' };

/** Which receipt numbers have a case: every other well-formed one, or those of the agency's sandbox alone. */
export const POPULATIONS = ['made-up', 'sandbox'] as const;
export type Population = (typeof POPULATIONS)[number];

/** A part of the sandbox was reported once, and by one source, to answer 200 with a body that is not JSON; here these, all without history. */
export const NOT_JSON: readonly string[] = [
  ...numbers('EAC9999103', [402, 407, 413, 421, 426, 431]),
  ...numbers('LIN9999106', [507]),
  ...numbers('SRC9999132', [695, 707]),
];

function numbers(start: string, ends: readonly number[]): string[] {
  return ends.map((end) => `${start}${end}`);
}

export interface FoundCase {
  readonly record: CaseRecord;
  /** A known defect of the sandbox: this case's answer is not JSON. */
  readonly broken: boolean;
}

/** The agency's cases. Moved cases stay moved until `reset`; all others are generated on request. */
export interface CaseStore {
  /** Undefined: the receipt number is not recognized. */
  find(receiptNumber: string, population: Population): FoundCase | undefined;
  /**
   * Moves a case, also one that was not recognized or broken before. After each of its next answers it moves on by
   * itself to the next of `next`.
   */
  move(receiptNumber: string, status: string, atMs: number, next?: readonly string[]): CaseRecord;
  /** Records that an answer with the case was given at `atMs`. */
  answered(receiptNumber: string, atMs: number): void;
  reset(): void;
}

export function createCaseStore(): CaseStore {
  const moved = new Map<string, { record: CaseRecord; next: readonly string[] }>();
  const sandbox = sandboxCases();

  return {
    find: (receiptNumber, population) => {
      const own = moved.get(receiptNumber);
      if (own) return { record: own.record, broken: false };
      const known = sandbox.get(receiptNumber);
      if (known) return known;
      if (population === 'sandbox') return undefined;
      return isEven(receiptNumber) ? { record: makeUpCase(receiptNumber), broken: false } : undefined;
    },
    move: (receiptNumber, status, atMs, next = []) => {
      const before =
        moved.get(receiptNumber)?.record ?? sandbox.get(receiptNumber)?.record ?? makeUpCase(receiptNumber);
      const record = moveCase(before, status, atMs);
      moved.set(receiptNumber, { record, next });
      return record;
    },
    answered: (receiptNumber, atMs) => {
      const own = moved.get(receiptNumber);
      const [status, ...next] = own?.next ?? [];
      if (own && status !== undefined) {
        moved.set(receiptNumber, { record: moveCase(own.record, status, atMs), next });
      }
    },
    reset: () => moved.clear(),
  };
}

function sandboxCases(): Map<string, FoundCase> {
  const broken = new Set(NOT_JSON);
  const cases = new Map<string, FoundCase>();
  for (const number of WITH_HISTORY)
    cases.set(number, { record: makeUpCase(number, 'shown'), broken: false });
  for (const number of WITHOUT_HISTORY) {
    cases.set(number, { record: makeUpCase(number, 'none'), broken: broken.has(number) });
  }
  for (const number of ALSO_KNOWN) {
    const record = makeUpCase(number, 'none');
    cases.set(number, {
      record: { ...record, formType: ODD_FORMS[number] ?? record.formType },
      broken: false,
    });
  }
  cases.set('EAC9999103403', { record: bestKnownCase(), broken: false });
  return cases;
}

/** The one case whose form, dates and status the sandbox's documentation shows. */
function bestKnownCase(): CaseRecord {
  const submittedMs = Date.parse('2023-09-05T18:28:46Z');
  const form = FORMS.find(({ type }) => type === 'I-130');
  if (!form) throw new Error('The forms lack I-130.');
  return {
    receiptNumber: 'EAC9999103403',
    form,
    formType: 'I-130',
    submittedMs,
    status: 'Case Was Approved',
    modifiedMs: submittedMs,
    history: [{ status: 'Case Was Received', atMs: submittedMs }],
  };
}

function isEven(receiptNumber: string): boolean {
  return Number(receiptNumber.at(-1)) % 2 === 0;
}
