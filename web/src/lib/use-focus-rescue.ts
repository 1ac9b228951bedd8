import { useEffect } from 'react';

/**
 * Keeps the focus on the page when the element that has it is removed, as when another tab removes a case that is being
 * edited here: the nearest element around it that takes focus gets it, else the main area. What moves the focus by
 * itself, such as a closing dialog, comes first. A button that is disabled while its answer is on the way has the focus
 * again when it is enabled.
 */
export function useFocusRescue(): void {
  useEffect(() => {
    let path: Element[] = [];
    let wasDisabled = false;
    const follow = ({ target }: FocusEvent) => {
      path = target instanceof Element ? withAncestors(target) : [];
      wasDisabled = false;
    };
    const isLost = () => document.activeElement === document.body && path[0]?.isConnected === false;
    const rescue = () => {
      const [focused] = path;
      if (wasDisabled && focused instanceof HTMLElement && document.activeElement === document.body)
        focused.focus({ preventScroll: true });
      wasDisabled = false;
      if (!isLost()) return;
      const around = path.find((one) => one.isConnected && one.matches('[tabindex]'));
      const place = around ?? document.querySelector('#main');
      if (place instanceof HTMLElement) place.focus({ preventScroll: true });
    };
    // By the next frame effects and dialogs have put the focus where they want it.
    const observer = new MutationObserver(() => {
      const isDisabled = path[0]?.matches(':disabled') ?? false;
      if (isDisabled) wasDisabled = true;
      else if (wasDisabled || isLost()) requestAnimationFrame(rescue);
    });
    document.addEventListener('focusin', follow);
    observer.observe(document.body, { attributeFilter: ['disabled'], childList: true, subtree: true });
    return () => {
      document.removeEventListener('focusin', follow);
      observer.disconnect();
    };
  }, []);
}

function withAncestors(element: Element): Element[] {
  const path: Element[] = [];
  for (let at: Element | null = element; at; at = at.parentElement) path.push(at);
  return path;
}
