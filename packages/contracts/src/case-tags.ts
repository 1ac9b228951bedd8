import { z } from 'zod';
import { fieldMessage } from './field-texts.ts';
import { TAG_MAX_LENGTH, TAGS_MAX } from './limits.ts';
import { distinctTags } from './tag-spelling.ts';
import { text } from './text.ts';

export const caseTag = text({
  required: 'tag-required',
  max: [TAG_MAX_LENGTH, 'tag-max'],
  invisible: 'tag-invisible',
  example: 'Family',
});

/** Spellings of one tag count as one: the first stays. */
export const caseTags = z.array(caseTag).max(TAGS_MAX, fieldMessage('tags-max')).transform(distinctTags);
