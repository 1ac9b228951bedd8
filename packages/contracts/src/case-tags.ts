import { z } from 'zod';
import { TAG_MAX_LENGTH, TAGS_MAX } from './limits.ts';
import { text } from './text.ts';

export const caseTag = text({
  required: 'A tag needs at least one character.',
  max: [TAG_MAX_LENGTH, `A tag must be at most ${TAG_MAX_LENGTH} characters.`],
  invisible: 'A tag has an invisible character. Please type it again without it.',
  example: 'Family',
});

/** Tags that differ only in case count as one: the first spelling stays. */
export const caseTags = z
  .array(caseTag)
  .max(TAGS_MAX, `A case can have at most ${TAGS_MAX} tags.`)
  .transform(distinctTags);

/** Returns the tags without those that repeat an earlier one in another case. */
export function distinctTags(tags: readonly string[]): string[] {
  const byKey = new Map<string, string>();
  for (const tag of tags) if (!byKey.has(tagKey(tag))) byKey.set(tagKey(tag), tag);
  return [...byKey.values()];
}

/** Returns what two spellings of one tag have in common. */
export const tagKey = (tag: string) => tag.toLowerCase();
