import { z } from 'zod';
import { fieldMessage } from './field-texts.ts';
import { TAG_MAX_LENGTH, TAGS_MAX } from './limits.ts';
import { text } from './text.ts';

export const caseTag = text({
  required: 'tag-required',
  max: [TAG_MAX_LENGTH, 'tag-max'],
  invisible: 'tag-invisible',
  example: 'Family',
});

/** Tags that differ only in case count as one: the first spelling stays. */
export const caseTags = z.array(caseTag).max(TAGS_MAX, fieldMessage('tags-max')).transform(distinctTags);

/** Returns the tags without those that repeat an earlier one in another case. */
export function distinctTags(tags: readonly string[]): string[] {
  const byKey = new Map<string, string>();
  for (const tag of tags) if (!byKey.has(tagKey(tag))) byKey.set(tagKey(tag), tag);
  return [...byKey.values()];
}

/** Returns what two spellings of one tag have in common. */
export const tagKey = (tag: string) => tag.toLowerCase();
