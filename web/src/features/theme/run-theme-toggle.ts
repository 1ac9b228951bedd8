import { openingDelayMs, TOOLTIP_DELAY_MS, tooltipPosition } from '../../components/tooltip/tooltip-rules.ts';
import { keepTheme, otherTheme, subscribeToTheme, type Theme, themeInForce } from './theme.ts';

/** Makes the theme toggle of a page without React work, with a name for each theme in force. Returns what ends it. */
export function runThemeToggle(root: HTMLElement, names: Record<Theme, string>): () => void {
  const button = root.querySelector<HTMLElement>('[data-testid="theme-toggle"]');
  if (button === null) throw new Error('The page has no theme toggle');
  const tooltip = addTooltip(button);
  const showName = () => {
    const name = names[themeInForce()];
    button.setAttribute('aria-label', name);
    tooltip.setText(name);
  };
  showName();
  button.addEventListener('click', () => keepTheme(otherTheme(themeInForce())));
  const unsubscribe = subscribeToTheme(showName);
  return () => {
    unsubscribe();
    tooltip.close();
  };
}

/** Gives an element the tooltip of `components/tooltip` on a page without React: below it, under the mouse or with the keyboard's focus. */
function addTooltip(anchor: HTMLElement): { setText: (text: string) => void; close: () => void } {
  const box = document.createElement('div');
  box.className = 'tooltip-box';
  box.id = 'theme-tooltip';
  box.setAttribute('role', 'tooltip');
  let timer: number | undefined;
  let lastClosedAtMs: number | null = null;

  const open = () => {
    anchor.after(box);
    anchor.setAttribute('aria-describedby', box.id);
    place();
  };
  const place = () => {
    const viewport = { width: document.documentElement.clientWidth, height: window.innerHeight };
    const { left, top } = tooltipPosition(
      anchor.getBoundingClientRect(),
      box.getBoundingClientRect(),
      'bottom',
      viewport,
    );
    box.style.left = `${left}px`;
    box.style.top = `${top}px`;
  };
  const openSoon = () => {
    window.clearTimeout(timer);
    timer = window.setTimeout(open, openingDelayMs(TOOLTIP_DELAY_MS, performance.now(), lastClosedAtMs));
  };
  const close = () => {
    window.clearTimeout(timer);
    if (box.isConnected) lastClosedAtMs = performance.now();
    anchor.removeAttribute('aria-describedby');
    box.remove();
  };

  anchor.addEventListener('pointerenter', ({ pointerType }) => pointerType === 'mouse' && openSoon());
  anchor.addEventListener('pointerleave', close);
  anchor.addEventListener('pointerdown', close);
  anchor.addEventListener('focus', () => anchor.matches(':focus-visible') && openSoon());
  anchor.addEventListener('blur', close);
  anchor.addEventListener('keydown', ({ key }) => key === 'Escape' && close());

  const setText = (text: string) => {
    box.textContent = text;
    if (box.isConnected) place();
  };
  return { setText, close };
}
