import { expect, test } from 'vitest';
import { badgeText, changeText, timeText } from './notification-words.ts';

test('a change is told with the old status where there is one', () => {
  expect(changeText({ oldStatus: 'Case Was Received', newStatus: 'Case Was Approved' })).toBe(
    'Case Was Received → Case Was Approved',
  );
  expect(changeText({ oldStatus: null, newStatus: 'Case Was Received' })).toBe(
    'New status: Case Was Received',
  );
});

test('the time is shown with its day and twelve hours', () => {
  expect(timeText(new Date(2023, 8, 5, 14, 28, 46).toISOString())).toBe('Sep 5, 2:28 PM');
  expect(timeText(new Date(2023, 8, 15, 0, 5).toISOString())).toBe('Sep 15, 12:05 AM');
});

test.each(['yesterday', '', '2023-99-99T00:00:00Z'])('a bad moment (%s) is an invalid date', (value) => {
  expect(timeText(value)).toBe('Invalid date');
});

test.each([
  [0, undefined],
  [1, '1'],
  [99, '99'],
  [100, '99+'],
])('%i unread are shown on the bell as %s', (unread, text) => {
  expect(badgeText(unread)).toBe(text);
});
