import type { SavedCase } from '@casewatch/contracts/cases';
import type { MonitoringFrequency } from '@casewatch/contracts/limits';

export interface NewSavedCase {
  userId: string;
  receiptNumber: string;
  nickname: string | null;
  monitoringFrequency: MonitoringFrequency;
  createdAtMs: number;
}

export interface CaseKey {
  userId: string;
  receiptNumber: string;
}

export interface SavedCaseChange {
  nickname?: string | null;
  /** With the time of the wish: a downgrade ends only what was wished for before it. */
  monitoring?: { frequency: MonitoringFrequency; setAtMs: number };
}

/** The saved cases of one user within a transaction that nobody else changes them in. */
export interface OwnSavedCases {
  /** The account was deleted: nothing may be stored for this user any more. */
  ownerIsDeleted(): Promise<boolean>;
  count(): Promise<number>;
  find(receiptNumber: string): Promise<SavedCase | undefined>;
  /** Status and time of the newest observation are filled in from the store. */
  add(saved: Omit<NewSavedCase, 'userId'>): Promise<SavedCase>;
  change(receiptNumber: string, change: SavedCaseChange): Promise<SavedCase>;
  remove(receiptNumber: string): Promise<void>;
  /** Publishes how often the user wants the receipt number checked from now on. */
  publishWatch(receiptNumber: string, frequency: MonitoringFrequency): Promise<void>;
}

export interface SavedCaseStore {
  /** Newest first. */
  list(userId: string): Promise<SavedCase[]>;
  /** Of those that are saved and have one. */
  nicknames(cases: readonly CaseKey[]): Promise<(CaseKey & { nickname: string })[]>;
  /** Runs `work` alone: the saved cases of one user are changed by one transaction at a time. */
  forUser<T>(userId: string, work: (own: OwnSavedCases) => Promise<T>): Promise<T>;
}
