import type { AuditEntry } from '@casewatch/contracts/admin-log';
import type { SqlExecutor } from '@casewatch/service-kit/database/sql-executor';
import type { AdminAction } from './admin-action.ts';
import type { Position } from './position.ts';

export interface AuditFilter {
  /** How the stored name of the action begins, or those that people call so. */
  readonly action?: { readonly start: string; readonly named: readonly string[] } | undefined;
  /** How the subject begins. */
  readonly subject?: string | undefined;
  /** How the name of the administrator begins, in any case. */
  readonly actor?: string | undefined;
  readonly success?: boolean | undefined;
  /** Included. */
  readonly fromMs?: number | undefined;
  /** Not included. */
  readonly toMs?: number | undefined;
}

export interface AuditTrail {
  /** Newest first. */
  list(filter: AuditFilter, olderThan: Position | undefined, limit: number): Promise<AuditEntry[]>;
  /** Stores actions, each once however often it is delivered. */
  record(tx: SqlExecutor, actions: readonly AdminAction[]): Promise<void>;
}
