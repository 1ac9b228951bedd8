import type { Language } from './languages.ts';
import type { PlanEndReason, PlanMilestone } from './limits.ts';

export interface PlanChange {
  milestone: PlanMilestone;
  reason?: PlanEndReason | null | undefined;
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
