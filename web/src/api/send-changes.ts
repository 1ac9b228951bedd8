import type { SavedCase } from '@casewatch/contracts/cases';
import type { User } from '@casewatch/contracts/identity';
import { t } from '@lingui/core/macro';
import type { QueryClient } from '@tanstack/react-query';
import { get } from 'idb-keyval';
import { setMark } from '../lib/kept-mark.ts';
import { ApiError, hasCode } from './api-error.ts';
import { callApi } from './call-api.ts';
import { notifyOtherTabsOfChange } from './data-changes.ts';
import * as endpoints from './endpoints.ts';
import { changeKept, keptStore } from './kept-store.ts';
import {
  frequencyWord,
  type OfflineChange,
  type OfflineRefusal,
  type WaitingChanges,
  withChange,
} from './offline-changes.ts';
import { offlineChangesKey, savedCasesQueryKey, shownCases } from './saved-case-data.ts';
import { endSession, meQueryKey } from './user-data.ts';

const WAITING = 'changes';
/** Of all tabs together only one sends. */
const SENDER_LOCK = 'casewatch-send-changes';
const TOO_MANY_REQUESTS = 429;
const NONE: WaitingChanges = { changes: [], refusals: [] };

interface Stored extends WaitingChanges {
  userId: string;
}

/** Returns what waits of this user. */
export async function readWaiting(userId: string): Promise<WaitingChanges> {
  const stored = await get<Stored>(WAITING, keptStore).catch(() => undefined);
  return stored?.userId === userId ? { changes: stored.changes, refusals: stored.refusals } : NONE;
}

type Wanted =
  | Pick<Extract<OfflineChange, { kind: 'nickname' }>, 'kind' | 'wanted'>
  | Pick<Extract<OfflineChange, { kind: 'frequency' }>, 'kind' | 'wanted'>
  | Pick<Extract<OfflineChange, { kind: 'removal' }>, 'kind'>;

/** Keeps a change that was just made offline. @throws for a case that this tab does not know */
export async function changeLater(client: QueryClient, receiptNumber: string, wanted: Wanted): Promise<void> {
  const savedCase = shownCases(client).find((one) => one.receiptNumber === receiptNumber);
  if (!savedCase) throw new Error(`${receiptNumber} is not kept on this device`);
  const own = { id: `${Date.now()}-${Math.random()}`, receiptNumber };
  if (wanted.kind === 'nickname')
    return queueChange(client, { ...own, ...wanted, before: savedCase.nickname });
  if (wanted.kind === 'frequency')
    return queueChange(client, { ...own, ...wanted, before: savedCase.monitoringFrequency });
  return queueChange(client, { ...own, ...wanted });
}

/** Keeps a change on this device until it can be sent. @throws when the browser keeps nothing */
export async function queueChange(client: QueryClient, change: OfflineChange): Promise<void> {
  setMark(true);
  await updateWaiting(client, ({ changes, refusals }) => ({
    changes: withChange(changes, change),
    refusals,
  }));
}

/** Takes back a change that was not sent yet, or closes a report of one that was refused. */
export async function forgetChange(client: QueryClient, id: string): Promise<void> {
  await updateWaiting(client, ({ changes, refusals }) => ({
    changes: changes.filter((one) => one.id !== id),
    refusals: refusals.filter((one) => one.id !== id),
  }));
}

/**
 * Sends what waits, in order, each once: a change leaves the device only after its answer, and one whose answer was lost is
 * found to be made already. What was changed on another device is not overwritten but reported. Stops, and keeps the rest,
 * where the server can't be reached or the session has ended. Resolves to how many were made.
 */
export async function sendChanges(client: QueryClient): Promise<number> {
  const user = client.getQueryData<User | null>(meQueryKey);
  if (!user) return 0;
  if (!('locks' in navigator)) return sendAll(client, user.id);
  return navigator.locks.request(SENDER_LOCK, { ifAvailable: true }, (lock) =>
    lock === null ? 0 : sendAll(client, user.id),
  );
}

async function sendAll(client: QueryClient, userId: string): Promise<number> {
  let made = 0;
  for (;;) {
    const [change] = (await readWaiting(userId)).changes;
    if (!change) break;
    let refusal: OfflineRefusal | undefined;
    try {
      refusal = await send(change);
    } catch (error) {
      if (hasCode(error, 'SIGNED_OUT')) endSession(client);
      if (!isFinal(error)) break;
      refusal = {
        ...refusalOf(change),
        text: `${failedText(change)} ${error.serverMessage ?? ''}`.trim(),
      };
    }
    if (refusal === undefined) made += 1;
    await updateWaiting(client, ({ changes, refusals }) => ({
      changes: changes.filter(({ id }) => id !== change.id),
      refusals: refusal === undefined ? refusals : [...refusals, refusal],
    }));
  }
  return made;
}

/** Makes a change, unless it is made already. Returns why not, when it was changed on another device. */
async function send(change: OfflineChange): Promise<OfflineRefusal | undefined> {
  const { receiptNumber } = change;
  const [current] = await callApi(endpoints.listSavedCases, { query: { receiptNumbers: receiptNumber } });
  if (change.kind === 'removal') {
    if (current) await callApi(endpoints.removeSavedCase, { params: { receiptNumber } });
    return undefined;
  }
  if (!current) {
    const text = t`The case was removed on another device. You can restore it from Recently removed.`;
    return { ...refusalOf(change), text: `${text} ${failedText(change)}` };
  }
  const now = valueIn(current, change.kind);
  if (now === change.wanted) return undefined;
  if (now !== change.before) return conflict(change, current);
  const body =
    change.kind === 'nickname' ? { nickname: change.wanted } : { monitoringFrequency: change.wanted };
  await callApi(endpoints.changeSavedCase, { params: { receiptNumber }, body });
  return undefined;
}

function conflict(change: Exclude<OfflineChange, { kind: 'removal' }>, current: SavedCase): OfflineRefusal {
  const again: OfflineChange =
    change.kind === 'nickname'
      ? { ...change, before: current.nickname }
      : { ...change, before: current.monitoringFrequency };
  const there = valueWords(current, change.kind);
  const text =
    change.kind === 'frequency'
      ? t`While you were offline, the monitoring was changed to ${there} on another device.`
      : current.nickname === null
        ? t`While you were offline, the nickname was cleared on another device.`
        : t`While you were offline, the nickname was changed to ${there} on another device.`;
  return { ...refusalOf(change), text: `${text} ${failedText(change)}`, again };
}

function refusalOf({ id, receiptNumber }: OfflineChange): OfflineRefusal {
  return { id, receiptNumber, text: '' };
}

function valueIn({ nickname, monitoringFrequency }: SavedCase, kind: 'nickname' | 'frequency') {
  return kind === 'nickname' ? nickname : monitoringFrequency;
}

function failedText(change: OfflineChange): string {
  if (change.kind === 'removal') return t`The case was not removed.`;
  if (change.wanted === null) return t`The nickname was not cleared.`;
  const wanted = change.kind === 'frequency' ? frequencyWord(change.wanted) : change.wanted;
  return t`Your change to “${wanted}” was not saved.`;
}

function valueWords({ nickname, monitoringFrequency }: SavedCase, kind: 'nickname' | 'frequency'): string {
  return `“${kind === 'nickname' ? nickname : frequencyWord(monitoringFrequency)}”`;
}

/** True for an answer that stays the same however often one asks. */
function isFinal(error: unknown): error is ApiError {
  return (
    error instanceof ApiError &&
    error.status >= 400 &&
    error.status < 500 &&
    error.status !== 401 &&
    error.status !== TOO_MANY_REQUESTS
  );
}

async function updateWaiting(client: QueryClient, change: (before: WaitingChanges) => WaitingChanges) {
  const userId = client.getQueryData<User | null>(meQueryKey)?.id;
  if (userId === undefined) return;
  let after = NONE;
  await changeKept<Stored>(WAITING, (stored) => {
    after = change(stored?.userId === userId ? stored : NONE);
    return { userId, ...after };
  });
  client.setQueryData<WaitingChanges>(offlineChangesKey, after);
  notifyOtherTabsOfChange([offlineChangesKey]);
}

/** Reads every list anew after the last change was sent, here and in the other tabs. */
export function refreshAfterSending(client: QueryClient): void {
  void client.invalidateQueries({ queryKey: savedCasesQueryKey });
  notifyOtherTabsOfChange([savedCasesQueryKey]);
}
