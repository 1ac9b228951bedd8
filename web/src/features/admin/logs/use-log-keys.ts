import { type RefObject, useEffect, useEffectEvent } from 'react';
import { isShortcutKey } from '../../../lib/shortcut-keys.ts';

interface LogKeys {
  /** Holds the rows, each with a button. */
  list: RefObject<HTMLElement | null>;
  onSearch: () => void;
  onHelp: () => void;
}

/**
 * Listens to keys: `/` and `?` reach the search and its help, `j` and `k` the next and the previous row, which Enter opens since its
 * button has the focus. Keys that are typed into a field, while a dialog is open, or with shortcuts turned off, mean
 * what they always mean.
 */
export function useLogKeys({ list, onSearch, onHelp }: LogKeys): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (!isShortcutKey(event)) return;
    if (event.key === '/') onSearch();
    else if (event.key === '?') onHelp();
    else if (event.key === 'j') step(1);
    else if (event.key === 'k') step(-1);
    else return;
    event.preventDefault();
  });

  function step(by: 1 | -1): void {
    const buttons = [...(list.current?.querySelectorAll<HTMLElement>('.row-button') ?? [])];
    const at = buttons.findIndex((button) => button.matches(':focus'));
    const next =
      at === -1 ? (by === 1 ? 0 : buttons.length - 1) : Math.min(Math.max(at + by, 0), buttons.length - 1);
    buttons[next]?.focus();
    buttons[next]?.closest('tr')?.scrollIntoView({ block: 'nearest' });
  }

  useEffect(() => {
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
}
