import { PRO_TRIAL_DAYS } from '../../config/product.ts';
import { runThemeToggle } from '../theme/run-theme-toggle.ts';
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
    // By no link: Firefox judges a prefetch by the policy's `default-src`, which allows nothing.
    for (const href of files) void fetch(href, { priority: 'low' }).catch(() => undefined);
  };
  // Safari has no idle callback.
  const whenIdle = () => ('requestIdleCallback' in window ? requestIdleCallback(prefetch) : prefetch());
  if (document.readyState === 'complete') whenIdle();
  else window.addEventListener('load', whenIdle, { once: true });
}
