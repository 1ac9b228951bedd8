import { openingDelayMs, TOOLTIP_DELAY_MS, tooltipPosition } from '../../components/tooltip/tooltip-rules.ts';
import { PRO_TRIAL_DAYS } from '../../config/product.ts';
import { keepTheme, otherTheme, subscribeToTheme, themeInForce } from '../theme/theme.ts';
import { type LiveTexts, TRIAL_ACTION_ID, TRIAL_NOTE_ID } from './live-texts.ts';
import { readOffer } from './read-offer.ts';

/**
 * Does what the landing page's HTML can't: switches the theme, says how long the trial is where Pro is offered, and fetches the app ahead of
 * the sign-in. Without React, which visitors need not load. Returns what ends it.
 */
export function bringToLife(root: HTMLElement): () => void {
  const texts: LiveTexts = JSON.parse(root.dataset.texts ?? '');
  const leaving = new AbortController();
  const stopToggle = runThemeToggle(root, texts.themeToggle);
  void showTrial(texts.trial, leaving.signal);
  prefetchWhenIdle(root.dataset.prefetch?.split(' ') ?? []);
  return () => {
    leaving.abort();
    stopToggle();
  };
}

function runThemeToggle(root: HTMLElement, names: LiveTexts['themeToggle']): () => void {
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

/** Replaces what the page was built with by what the server is set to. */
async function showTrial({ none, one, many }: LiveTexts['trial'], signal: AbortSignal): Promise<void> {
  const days = (await readOffer(signal))?.trialDays;
  if (days === undefined || days === PRO_TRIAL_DAYS || signal.aborted) return;
  const { note, action } = days <= 0 ? none : days === 1 ? one : many;
  const show = (id: string, text: string) => {
    const element = document.getElementById(id);
    if (element !== null) element.textContent = text.replace(String(PRO_TRIAL_DAYS), String(days));
  };
  show(TRIAL_NOTE_ID, note);
  show(TRIAL_ACTION_ID, action);
}

/** Has the browser fetch files of the app, so that the sign-in opens at once. One that saves data does not. */
function prefetchWhenIdle(files: readonly string[]): void {
  const prefetch = () => {
    for (const href of files) {
      const link = document.createElement('link');
      Object.assign(link, { rel: 'prefetch', href, as: href.endsWith('.css') ? 'style' : 'script' });
      document.head.append(link);
    }
  };
  // Safari has no idle callback.
  const whenIdle = () => ('requestIdleCallback' in window ? requestIdleCallback(prefetch) : prefetch());
  if (document.readyState === 'complete') whenIdle();
  else window.addEventListener('load', whenIdle, { once: true });
}

/** Gives an element the tooltip of `components/tooltip` on a page without React: below it, under the mouse or with the keyboard's focus. */
function addTooltip(anchor: HTMLElement): { setText: (text: string) => void; close: () => void } {
  const box = document.createElement('div');
  box.className = 'tooltip-box';
  box.id = 'landing-tooltip';
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
