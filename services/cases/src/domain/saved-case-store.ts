import type { CaseDate } from '@casewatch/contracts/case-dates';
import type { CaseDetails } from '@casewatch/contracts/case-nicknames';
import type { CaseOverview } from '@casewatch/contracts/case-overviews';
import type { SavedCase } from '@casewatch/contracts/cases';
import type { MonitoringFrequency, Tier } from '@casewatch/contracts/limits';
import type { listOpenDates } from '@casewatch/contracts/saved-case-dates';
import type { SavedCasesPage, SavedCasesQuery } from '@casewatch/contracts/workspace';
import type { SqlExecutor } from '@casewatch/service-kit/database/sql-executor';
import type { z } from 'zod';

/** A plan of a user, from a moment on. Of two, the one with the higher version counts. */
export interface KnownPlan {
  tier: Tier;
  version: number;
  atMs: number;
}

/** What events about users change, each in the transaction that receives it. */
export interface UserRows {
  /** Pauses or resumes the user's monitoring, as the plan includes it. */
  followPlan(tx: SqlExecutor, userId: string, plan: KnownPlan): Promise<void>;
  /** Erases what is stored for the user, and keeps anything from being stored again. */
  eraseUser(tx: SqlExecutor, userId: string, nowMs: number): Promise<void>;
}

export interface CaseKey {
  userId: string;
  receiptNumber: string;
}

/** What a user chose for a saved case. */
export interface CaseSettings {
  receiptNumber: string;
  nickname: string | null;
  tags: string[];
  /** Since when it is archived, and not checked. */
  archivedAt: string | null;
  /** Until when its alerts wait. */
  snoozedUntil?: string | null;
  monitoringFrequency: MonitoringFrequency;
  /** Since when the frequency is paused because the user has no pro plan; null: it runs. */
  monitoringPausedAt: string | null;
}

export interface NewSavedCase extends CaseSettings {
  dates?: readonly CaseDate[];
  createdAtMs: number;
}

/** A case that was removed and can be restored. */
export interface StoredRemovedCase extends Omit<CaseSettings, 'monitoringPausedAt'> {
  lastKnownStatus: string | null;
  dates: CaseDate[];
  createdAtMs: number;
  removedAtMs: number;
}

/** The saved cases of one user within a transaction that locks them. */
export interface OwnSavedCases {
  /** The account was deleted: nothing may be stored for this user any more. */
  ownerIsDeleted(): Promise<boolean>;
  /** The last plan that was published; undefined before the first change of it. */
  planTier(): Promise<Tier | undefined>;
  count(): Promise<number>;
  /** Those to be changed: observations of them wait from now on. */
  find(receiptNumbers: readonly string[]): Promise<SavedCase[]>;
  /** When each of these that are saved was, in milliseconds. Locks none. */
  savedOf(receiptNumbers: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /** Status, form and times of the newest observations are filled in from the store. What was removed of them is forgotten. */
  add(cases: readonly NewSavedCase[]): Promise<SavedCase[]>;
  /** Replaces all settings of each case. */
  change(cases: readonly CaseSettings[]): Promise<SavedCase[]>;
  /** Replaces the dates of a case; undefined where it is not saved. */
  setDates(receiptNumber: string, dates: readonly CaseDate[]): Promise<SavedCase | undefined>;
  /** Keeps what `findRemoved` finds. */
  remove(receiptNumbers: readonly string[]): Promise<void>;
  /** Those that can still be restored. */
  findRemoved(receiptNumbers: readonly string[]): Promise<StoredRemovedCase[]>;
  /** Publishes how often each case is to be checked from now on: as it is saved, or not at all where it is saved no more. */
  publishWatches(receiptNumbers: readonly string[]): Promise<void>;
}

export type OpenDatesSpan = z.output<typeof listOpenDates.body>;
export type OpenDatesAnswer = z.output<typeof listOpenDates.answer>;

export interface SavedCaseStore {
  /** Newest first: all of the user's cases, or those of them with one of these receipt numbers. */
  list(userId: string, receiptNumbers?: readonly string[]): Promise<SavedCase[]>;
  /** @throws AppError VALIDATION for a cursor of another list */
  page(userId: string, query: SavedCasesQuery): Promise<SavedCasesPage>;
  /** Those that can still be restored, latest first, at most `limit`. */
  listRemoved(userId: string, limit: number): Promise<StoredRemovedCase[]>;
  /** Forgets for good the cases of all users that can't be restored any more; resolves to how many, at most `limit`. */
  purgeRemoved(limit: number): Promise<number>;
  /** The cases of these users that are checked automatically. */
  overviews(userIds: readonly string[]): Promise<CaseOverview[]>;
  /** Of cases that are not archived: those of at most `limit` cases, after a place. */
  openDates(span: OpenDatesSpan, limit: number): Promise<OpenDatesAnswer>;
  /** Of those that are saved. */
  details(cases: readonly CaseKey[]): Promise<CaseDetails[]>;
  /** Runs `work` alone: the saved cases of one user are changed by one transaction at a time. */
  forUser<T>(userId: string, work: (own: OwnSavedCases) => Promise<T>): Promise<T>;
}
