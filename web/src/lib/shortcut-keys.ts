import { useSyncExternalStore } from 'react';

/** The name under which this device keeps that its user wants no shortcuts of single keys (WCAG 2.1.4). */
const OFF_KEY = 'shortcuts-off';
const CHANGED = 'casewatch:shortcuts';

/** Returns true for a key that may be a shortcut: shortcuts are on, nothing is being typed, no dialog is open, no other key is held. */
export function isShortcutKey(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing)
    return false;
  if (isTyping(event.target) || document.querySelector('[role="dialog"]') !== null) return false;
  return areShortcutsOn();
}

/** Returns whether shortcuts are on, and what turns them on or off on this device, in every tab. */
export function useShortcutSwitch(): { isOn: boolean; turn: (isOn: boolean) => void } {
  return { isOn: useSyncExternalStore(subscribe, areShortcutsOn), turn };
}

function turn(isOn: boolean): void {
  try {
    if (isOn) localStorage.removeItem(OFF_KEY);
    else localStorage.setItem(OFF_KEY, '1');
  } catch {
    // Storage is forbidden: there is nowhere to keep it.
  }
  window.dispatchEvent(new Event(CHANGED));
}

function areShortcutsOn(): boolean {
  try {
    return localStorage.getItem(OFF_KEY) === null;
  } catch {
    return true;
  }
}

function subscribe(onChange: () => void): () => void {
  window.addEventListener(CHANGED, onChange);
  window.addEventListener('storage', onChange);
  return () => {
    window.removeEventListener(CHANGED, onChange);
    window.removeEventListener('storage', onChange);
  };
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.closest('input, textarea, select, [role="textbox"]') !== null)
  );
}
