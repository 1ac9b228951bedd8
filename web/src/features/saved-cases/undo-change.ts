import type { SavedCase } from '@casewatch/contracts/cases';
import { distinctTags, tagKey } from '@casewatch/contracts/tag-spelling';
import type { BulkChange, BulkOutcome } from '@casewatch/contracts/workspace';

/** As many receipt numbers as one request takes. */
const PART = 500;

/** Returns the same change in requests that the server takes. */
export function inParts(change: BulkChange): BulkChange[] {
  const parts: BulkChange[] = [];
  for (let start = 0; start < change.receiptNumbers.length; start += PART) {
    parts.push({ ...change, receiptNumbers: change.receiptNumbers.slice(start, start + PART) });
  }
  return parts;
}

/** Returns the changes that bring back what the cases were before, where the change took effect; none where it can't be taken back. */
export function undoOf(
  change: BulkChange,
  before: ReadonlyMap<string, SavedCase>,
  results: readonly BulkOutcome[],
): BulkChange[] {
  const changed = results
    .filter(({ outcome }) => outcome === 'changed')
    .flatMap(({ receiptNumber }) => before.get(receiptNumber) ?? []);
  return undoing(change, changed).flatMap(inParts);
}

/** Returns the selected cases as changes have left them: those that refused stay as they were; those no longer in the list leave. */
export function afterChanges(
  cases: ReadonlyMap<string, SavedCase>,
  changes: readonly BulkChange[],
  results: readonly BulkOutcome[],
): Map<string, SavedCase> {
  const after = new Map(cases);
  const refused = new Set(results.flatMap((one) => (one.outcome === 'refused' ? one.receiptNumber : [])));
  for (const { receiptNumber, code } of results)
    if (code === 'SAVED_CASE_NOT_FOUND') after.delete(receiptNumber);
  for (const change of changes) {
    for (const receiptNumber of change.receiptNumbers) {
      const one = after.get(receiptNumber);
      if (!one || refused.has(receiptNumber)) continue;
      if (takesOffList(change)) after.delete(receiptNumber);
      else after.set(receiptNumber, changedBy(change, one));
    }
  }
  return after;
}

/** Returns whether the cases were removed from the list that they were selected in. */
export function takesOffList({ action }: BulkChange): boolean {
  return action === 'archive' || action === 'unarchive' || action === 'remove';
}

function changedBy(change: BulkChange, one: SavedCase): SavedCase {
  switch (change.action) {
    case 'setFrequency':
      return { ...one, monitoringFrequency: change.monitoringFrequency };
    case 'snooze':
      return { ...one, snoozedUntil: change.snoozedUntil };
    case 'addTags':
      return { ...one, tags: distinctTags([...one.tags, ...change.tags]) };
    case 'removeTags': {
      const removed = new Set(change.tags.map(tagKey));
      return { ...one, tags: one.tags.filter((tag) => !removed.has(tagKey(tag))) };
    }
    default:
      return one;
  }
}

function undoing(change: BulkChange, changed: readonly SavedCase[]): BulkChange[] {
  const receiptNumbers = changed.map(({ receiptNumber }) => receiptNumber);
  switch (change.action) {
    case 'remove':
      return [{ action: 'restore', receiptNumbers }];
    case 'restore':
      return [{ action: 'remove', receiptNumbers }];
    case 'archive':
      return [{ action: 'unarchive', receiptNumbers }];
    case 'unarchive':
      return [{ action: 'archive', receiptNumbers }];
    case 'snooze':
      return groups(changed, ({ snoozedUntil }) => snoozedUntil ?? '').map(([until, numbers]) => ({
        action: 'snooze',
        snoozedUntil: until || null,
        receiptNumbers: numbers,
      }));
    case 'setFrequency':
      return groups(changed, ({ monitoringFrequency }) => monitoringFrequency).map(
        ([monitoringFrequency, numbers]) => ({
          action: 'setFrequency',
          monitoringFrequency,
          receiptNumbers: numbers,
          // What Pro watched before it ended comes back paused.
          ...(monitoringFrequency === 'none' ? {} : { evenIfPaused: true }),
        }),
      );
    case 'addTags':
    case 'removeTags': {
      const action = change.action === 'addTags' ? 'removeTags' : 'addTags';
      const asked = new Set(change.tags.map(tagKey));
      // The tags that the change touched: those that a case did not have, or those that it had, as it wrote them.
      const touched = ({ tags }: SavedCase) =>
        change.action === 'addTags'
          ? change.tags.filter((tag) => !tags.some((one) => tagKey(one) === tagKey(tag)))
          : tags.filter((tag) => asked.has(tagKey(tag)));
      return groups(changed, (one) => JSON.stringify(touched(one))).map(([tags, numbers]) => ({
        action,
        tags: parseTags(tags),
        receiptNumbers: numbers,
      }));
    }
  }
}

function groups<Key extends string>(
  cases: readonly SavedCase[],
  keyOfCase: (one: SavedCase) => Key,
): [Key, string[]][] {
  const found = new Map<Key, string[]>();
  for (const one of cases) {
    const key = keyOfCase(one);
    found.set(key, [...(found.get(key) ?? []), one.receiptNumber]);
  }
  return [...found];
}
const parseTags = (text: string): string[] => JSON.parse(text);
