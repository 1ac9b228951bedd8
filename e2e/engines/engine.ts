export const WIDTH = 1280;
export const HEIGHT = 800;

/** A browser with a fresh profile and one page in it. */
export interface Engine {
  open(url: string): Promise<void>;
  /** Runs a function in the page; it must stand alone. */
  run<Args extends unknown[], Answer>(
    work: (...args: Args) => Answer,
    ...args: Args
  ): Promise<Awaited<Answer>>;
  /** Presses the mouse at this place of the window. */
  clickAt(x: number, y: number): Promise<void>;
  /** Types where the focus is. */
  type(text: string): Promise<void>;
  /** Types into the fields of a frame, by the fields' selectors. */
  typeInFrame(frame: string, texts: Readonly<Record<string, string>>): Promise<void>;
  resize(width: number): Promise<void>;
  /** Every error that the browser has written to its console since the start. */
  errors(): readonly string[];
  close(): Promise<void>;
}

export interface Part {
  role: 'button' | 'field' | 'link' | 'menuitem' | 'tab';
  name: string;
}

export interface Place {
  x: number;
  y: number;
}

/** Returns where in the window the middle of a part is, and scrolls to it where it is not seen; null unless it is drawn and not covered. Runs in the page. */
export function placeOf({ role, name }: Part): Place | null {
  const selectors = {
    button: 'button:not([role])',
    field: 'input, textarea',
    link: 'a[href]',
    menuitem: '[role=menuitem]',
    tab: '[role=tab]',
  };
  const nameOf = (one: Element) => {
    const label =
      one instanceof HTMLInputElement || one instanceof HTMLTextAreaElement ? one.labels?.[0] : one;
    const forReaders = label?.querySelector('.visually-hidden');
    return (one.getAttribute('aria-label') ?? (forReaders ?? label)?.textContent ?? '').trim();
  };
  const seenAt = (one: Element) => {
    const { left, top, width, height } = one.getBoundingClientRect();
    const place = { x: Math.round(left + width / 2), y: Math.round(top + height / 2) };
    return one.contains(document.elementFromPoint(place.x, place.y)) ? place : null;
  };
  for (const one of document.querySelectorAll(selectors[role])) {
    if (nameOf(one) !== name || one.matches(':disabled, [aria-disabled=true]')) continue;
    if (!seenAt(one)) one.scrollIntoView({ block: 'center', behavior: 'instant' });
    const place = seenAt(one);
    if (place) return place;
  }
  return null;
}
