import { LOG_VIEWS_MAX } from '@casewatch/contracts/limits';
import type { LogView } from '@casewatch/contracts/log-views';
import type { SqlExecutor } from '@casewatch/service-kit/database/sql-executor';
import { AppError } from '@casewatch/service-kit/errors/app-error';
import { type AdminCaller, permissionDenied } from '@casewatch/service-kit/http/route';
import type { AdminAction } from './admin-action.ts';

/** What the use cases need of the stored views. */
export interface LogViews {
  /** By name. */
  listOf(administratorId: string): Promise<LogView[]>;
  /** Adds views, or replaces those of the same name; false, and nothing is saved, when there were more than `most`. */
  save(administratorId: string, views: readonly Omit<LogView, 'id'>[], most: number): Promise<boolean>;
  /** Whether the administrator had it. */
  remove(administratorId: string, id: string): Promise<boolean>;
  /** Removes the views of administrators who were removed. */
  removeOfRemoved(tx: SqlExecutor, actions: readonly AdminAction[]): Promise<void>;
}

export async function listViews(store: LogViews, { administratorId }: AdminCaller): Promise<LogView[]> {
  return administratorId === null ? [] : store.listOf(administratorId);
}

/** @throws AppError LOG_VIEW_LIMIT, or PERMISSION_DENIED for the passcode */
export async function saveViews(
  store: LogViews,
  admin: AdminCaller,
  views: readonly Omit<LogView, 'id'>[],
): Promise<LogView[]> {
  const administratorId = ownerOf(admin);
  if (!(await store.save(administratorId, views, LOG_VIEWS_MAX))) throw new AppError('LOG_VIEW_LIMIT');
  return store.listOf(administratorId);
}

/** @throws AppError NOT_FOUND, or PERMISSION_DENIED for the passcode */
export async function removeView(store: LogViews, admin: AdminCaller, id: string): Promise<void> {
  if (!(await store.remove(ownerOf(admin), id))) throw new AppError('NOT_FOUND', { en: 'View not found.' });
}

function ownerOf({ administratorId }: AdminCaller): string {
  if (administratorId === null) throw permissionDenied();
  return administratorId;
}
