import type { Language } from './languages.ts';
import type { PlanEndReason, PlanMilestone } from './limits.ts';

export interface PlanChange {
  milestone: PlanMilestone;
  reason?: PlanEndReason | null | undefined;
  /** Of `price-changing`. */
  priceChange?: PriceChange | undefined;
}

/** What a plan costs before and after a change of its price. */
export interface PriceChange {
  oldCents: number;
  newCents: number;
  /** Paid by the year, else by the month. */
  yearly: boolean;
}

/** Returns an amount as people write it: `$9`, `$7.50`. */
export function centsText(cents: number): string {
  return `$${cents % 100 === 0 ? cents / 100 : (cents / 100).toFixed(2)}`;
}

export interface PlanWords {
  title: string;
  text: string;
  /** The page of the web app on which the user acts on it. */
  action: { label: string; path: '/upgrade' | '/profile' | '/saved-cases' };
}

/** This package's texts for people in a language other than English. */
export interface Translation {
  /** The name of a status by its English title; undefined for a title that is not known. */
  readonly statusName: (title: string) => string | undefined;
  readonly planWords: (change: PlanChange, day: string) => PlanWords;
}

const LOADED = new Map<Language, Translation>();

/**
 * Makes a language known to the functions that take one. English is always known; the others are modules of their own
 * (`es/texts.ts`), so that a browser loads one language only: importing such a module is enough.
 */
export function provideTexts(language: Exclude<Language, 'en'>, texts: Translation): void {
  LOADED.set(language, texts);
}

/** Returns the texts of a language; undefined for English, and for one that is not loaded: then English is shown. */
export function textsIn(language: Language): Translation | undefined {
  return LOADED.get(language);
}
