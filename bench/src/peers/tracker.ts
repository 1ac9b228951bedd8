/** A program that watches cases at the agency and gives notice of their changes. */
export interface Tracker {
  readonly name: string;
  /** Roots of its process trees; the database is one of them. */
  pids(): readonly number[];
  /** Lets every watched case be due at once; resolves when they are. */
  makeAllDue(): Promise<void>;
  /** Whether everything that follows from the agency's answers is stored. */
  isSettled(): Promise<boolean>;
  stop(): Promise<void>;
}

/** Called with each notice of a change as it arrives where a person, or a person's program, gets it. */
export type OnNotice = (receiptNumber: string) => void;
