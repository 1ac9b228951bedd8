/**
 * Leaves the keys that compose a text (IME) to the keyboard: its Enter submits no form, its Escape closes nothing. Returns a
 * function that ends it.
 */
export function leaveComposingAlone(): () => void {
  const leave = (event: KeyboardEvent) => {
    // Safari says by the code alone that the key that ends a composition belongs to it.
    if (!event.isComposing && event.keyCode !== 229) return;
    event.stopImmediatePropagation();
    if (event.key === 'Enter') event.preventDefault();
  };
  window.addEventListener('keydown', leave, true);
  return () => window.removeEventListener('keydown', leave, true);
}
