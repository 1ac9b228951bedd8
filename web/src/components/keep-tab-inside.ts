import type { KeyboardEvent } from 'react';

const FOCUSABLE = 'a[href], button:enabled, input:enabled, select:enabled, textarea:enabled, [tabindex="0"]';

/**
 * For `onKeyDown` of a dialog: Tab goes round inside it. react-bootstrap brings the focus back only after it has
 * been outside, which a screen reader announces.
 */
export function keepTabInside(event: KeyboardEvent<HTMLElement>): void {
  if (event.key !== 'Tab') return;
  const stops = [...event.currentTarget.querySelectorAll<HTMLElement>(FOCUSABLE)];
  const first = stops.at(0);
  const last = stops.at(-1);
  // The dialog itself holds the focus when it has just opened.
  const isFirst = event.target === first || event.target === event.currentTarget;
  if (!(event.shiftKey ? isFirst : event.target === last)) return;
  event.preventDefault();
  (event.shiftKey ? last : first)?.focus();
}
