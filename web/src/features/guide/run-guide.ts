import { runThemeToggle } from '../theme/run-theme-toggle.ts';
import type { Theme } from '../theme/theme.ts';

/** The texts that the page's script writes, in the language of its HTML. */
export interface GuideTexts {
  themeToggle: Record<Theme, string>;
  /** With `{shown}` and `{total}`. */
  found: string;
  none: string;
}

/** Does what the HTML of the status guide can't: searches, and switches the theme. Without React. Returns what ends it. */
export function runGuide(root: HTMLElement): () => void {
  const texts: GuideTexts = JSON.parse(root.dataset.texts ?? '');
  const stopToggle = runThemeToggle(root, texts.themeToggle);
  const leaving = new AbortController();
  runSearch(root, texts, leaving.signal);
  const other = root.querySelector<HTMLAnchorElement>('.landing-language');
  // The same entry in the other language.
  other?.addEventListener('click', () => (other.hash = window.location.hash), { signal: leaving.signal });
  return () => {
    leaving.abort();
    stopToggle();
  };
}

function runSearch(root: HTMLElement, texts: GuideTexts, signal: AbortSignal): void {
  const input = root.querySelector<HTMLInputElement>('input[type="search"]');
  const status = root.querySelector<HTMLElement>('[role="status"]');
  if (input === null || status === null) throw new Error('The page has no search');
  const entries = [...root.querySelectorAll<HTMLElement>('.guide-entry')].map((element) => ({
    element,
    words: [...element.querySelectorAll('[data-searched]')].flatMap((part) => wordsOf(part.textContent)),
  }));

  const search = () => {
    const wanted = wordsOf(input.value);
    for (const { element, words } of entries)
      element.hidden = !wanted.every((start) => words.some((word) => word.startsWith(start)));
    const shown = entries.filter(({ element }) => !element.hidden).length;
    hideEmptyPhases(root);
    const count = texts.found.replace('{shown}', String(shown)).replace('{total}', String(entries.length));
    status.textContent = wanted.length === 0 ? '' : shown === 0 ? texts.none : count;
  };
  /** A link to an entry counts more than the search that hides it. */
  const showTarget = () => {
    const target = document.getElementById(window.location.hash.slice(1));
    if (!target?.closest('[hidden]')) return;
    input.value = '';
    search();
    target.scrollIntoView();
    target.focus();
  };

  input.addEventListener('input', search, { signal });
  window.addEventListener('hashchange', showTarget, { signal });
  // With what the browser has kept in the field.
  window.addEventListener('pageshow', search, { signal });
}

function hideEmptyPhases(root: HTMLElement): void {
  for (const phase of root.querySelectorAll<HTMLElement>('.guide-phase')) {
    phase.hidden = phase.querySelector('.guide-entry:not([hidden])') === null;
    const link = root.querySelector(`.guide-contents a[href="#${phase.id}"]`);
    link?.parentElement?.toggleAttribute('hidden', phase.hidden);
  }
}

/** Returns the words of a text as they are compared: without case and accents, and `I-485` and `I485`, `Cancelled` and `Canceled` alike. */
export function wordsOf(text: string): string[] {
  const plain = text.normalize('NFKD').replace(/[\p{M}\p{Cf}]/gu, '');
  return (
    plain
      .toLowerCase()
      .replaceAll('cancell', 'cancel')
      .match(/\p{L}+|\p{N}+\p{L}*/gu) ?? []
  );
}
