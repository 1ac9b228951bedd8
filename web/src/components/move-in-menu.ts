import type { KeyboardEvent } from 'react';

const ITEMS = '[role^="menuitem"]:not([aria-disabled="true"], :disabled)';
const MOVES = new Set(['ArrowDown', 'ArrowUp', 'Home', 'End']);

/** Returns the commands of a menu that can be chosen. */
export const menuItemsIn = (menu: Element) => [...menu.querySelectorAll<HTMLElement>(ITEMS)];

/** Moves the focus among the commands of the menu that the event is handled by, as the arrow keys, Home and End say. */
export function moveInMenu(event: KeyboardEvent): void {
  if (!MOVES.has(event.key)) return;
  const items = menuItemsIn(event.currentTarget);
  const at = document.activeElement instanceof HTMLElement ? items.indexOf(document.activeElement) : -1;
  event.preventDefault();
  items.at(nextItem(event.key, at, items.length))?.focus();
}

/** An index of `Array.at`: -1 is the last item. */
function nextItem(key: string, at: number, count: number): number {
  if (key === 'Home') return 0;
  if (key === 'End') return -1;
  return key === 'ArrowDown' ? (at + 1) % count : at - 1;
}
