/** What Pro's card says of the trial. */
export interface TrialTexts {
  note: string;
  action: string;
}

/** The texts that the stand-alone page's script writes, in the language of its HTML. */
export interface LiveTexts {
  /** The theme toggle's name while a theme is in force. */
  themeToggle: { light: string; dark: string };
  /** By the days of the trial; `many` is for `PRO_TRIAL_DAYS`, whose place any other number takes. */
  trial: { none: TrialTexts; one: TrialTexts; many: TrialTexts };
}

/** A page in one language, as the build renders it. */
export interface RenderedPage {
  title: string;
  description: string;
  html: string;
  /** What the page's script writes, where it has one. */
  liveTexts?: object;
}

export interface RenderedLanding extends RenderedPage {
  liveTexts: LiveTexts;
}

/** Ids of the elements whose texts follow the server's trial. */
export const TRIAL_NOTE_ID = 'trial-note';
export const TRIAL_ACTION_ID = 'trial-action';
