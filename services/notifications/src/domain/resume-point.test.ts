import { expect, test } from 'vitest';
import { RESUME_MAX, resumePoint } from './resume-point.ts';

test.each([
  ['nothing yet seen', 7, undefined, { seq: 7, reset: false }],
  ['an empty id', 7, '', { seq: 7, reset: false }],
  ['nothing missed', 7, '7', { seq: 7, reset: false }],
  ['something missed', 7, '5', { seq: 5, reset: false }],
  ['all of it missed', 7, '0', { seq: 0, reset: false }],
  ['as much missed as is sent again', RESUME_MAX + 1, '1', { seq: 1, reset: false }],
  ['one more missed', RESUME_MAX + 2, '1', { seq: RESUME_MAX + 2, reset: true }],
  ['an id from the future', 7, '8', { seq: 7, reset: true }],
  ['more than a number', 7, '5x', { seq: 7, reset: true }],
  ['two digits', 17, '15', { seq: 15, reset: false }],
  ['a number before something', 7, 'x-5', { seq: 7, reset: true }],
  ['no id of ours', 7, 'x1', { seq: 7, reset: true }],
])('%s', (_what, lastSeq, lastEventId, expected) => {
  expect(resumePoint(lastSeq, lastEventId)).toEqual(expected);
});
