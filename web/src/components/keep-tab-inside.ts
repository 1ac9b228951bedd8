const FOCUSABLE = 'a[href], button:enabled, input:enabled, select:enabled, textarea:enabled, [tabindex="0"]';

/**
 * Makes Tab go round inside the open dialog; returns a function that ends it. react-bootstrap brings the focus back
 * only after it has been outside, which a screen reader announces, and gives key handlers to a part of the dialog
 * that does not hold the focus when it has just opened: so one listener serves every dialog.
 */
export function keepTabInsideDialogs(): () => void {
  document.addEventListener('keydown', keepTabInside);
  return () => document.removeEventListener('keydown', keepTabInside);
}

function keepTabInside(event: KeyboardEvent): void {
  if (event.key !== 'Tab' || !(event.target instanceof Element)) return;
  const dialog = event.target.closest('[aria-modal="true"]');
  if (dialog === null) return;
  const stops = [...dialog.querySelectorAll<HTMLElement>(FOCUSABLE)];
  const first = stops.at(0);
  const last = stops.at(-1);
  const isFirst = event.target === first || event.target === dialog;
  if (!(event.shiftKey ? isFirst : event.target === last)) return;
  event.preventDefault();
  (event.shiftKey ? last : first)?.focus();
}
