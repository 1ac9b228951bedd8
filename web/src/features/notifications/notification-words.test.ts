import { expect, test } from 'vitest';
import { badgeText, changeText } from './notification-words.ts';

test('a change is shown with the old status where there is one', () => {
  expect(changeText({ oldStatus: 'Case Was Received', newStatus: 'Case Was Approved' })).toBe(
    'Case Was Received → Case Was Approved',
  );
  expect(changeText({ oldStatus: null, newStatus: 'Case Was Received' })).toBe(
    'New status: Case Was Received',
  );
});

test.each([
  [0, undefined],
  [1, '1'],
  [99, '99'],
  [100, '99+'],
])('%i unread are shown on the bell as %s', (unread, text) => {
  expect(badgeText(unread)).toBe(text);
});
