import type { AgencyPage } from './agency-pages.ts';

/** Where a case stands, roughly: what the product shows as its substatus. */
export type Phase =
  | 'received'
  | 'biometrics'
  | 'evidence'
  | 'interview'
  | 'decision'
  | 'card'
  | 'transferred'
  | 'closed'
  | 'other';

/** The date that a notice sets for its reader; `none`: there is something to do, and no date for it. */
export type Action = 'respond by' | 'appear on' | 'appeal by' | 'none';

/** What the status means, an arrow, and the next step. */
type Texts = `${string} → ${string}`;

interface Explanation {
  en: Texts;
  es: Texts;
  page: AgencyPage;
  /** The source of each legal figure in the texts. */
  law?: string;
}

/** What the product knows of a status. */
export interface Row extends Explanation {
  /** The titles that are this status, each with its name in Spanish. */
  titles: Readonly<Record<string, string>>;
  phase: Phase;
  /** Absent: the applicant can wait. */
  action?: Action;
  /** The notice that announces it: what to do if it does not come follows the next step. */
  notice?: keyof typeof IF_MISSING;
  /** What differs for a form (`N-400`). */
  forms?: Readonly<Record<string, Partial<Explanation>>>;
}

/** What to do about a notice that does not come. */
export const IF_MISSING = {
  request: {
    en: 'It may already be in your online account. If you do not have it in a week or two, ask for a copy. The time is already running.',
    es: 'Puede estar ya en su cuenta en línea. Si no la tiene en una o dos semanas, pida una copia: el plazo ya corre.',
  },
  intent: {
    en: 'Look in your online account today. If you do not have the notice, ask for a copy at once (uscis.gov/e-request).',
    es: 'Revise hoy su cuenta en línea. Si no tiene el aviso, pida una copia de inmediato (uscis.gov/e-request).',
  },
  appointment: {
    en: 'If you do not have the notice, look in your online account, or ask for a copy now.',
    es: 'Si no tiene el aviso, revise su cuenta en línea o pida una copia ya.',
  },
  decision: {
    en: 'Look in your online account today. If the notice is not there or in your mail within a week, ask for a copy (uscis.gov/e-request).',
    es: 'Revise hoy su cuenta en línea. Si el aviso no está ahí ni le llega por correo postal en una semana, pida una copia (uscis.gov/e-request).',
  },
  information: {
    en: 'If the notice does not come within a month, ask for a copy (uscis.gov/e-request).',
    es: 'Si el aviso no llega en un mes, pida una copia (uscis.gov/e-request).',
  },
  delivery: {
    en: 'If it does not come within a month, ask USCIS where it is (uscis.gov/e-request).',
    es: 'Si no llega en un mes, pregunte a USCIS dónde está (uscis.gov/e-request).',
  },
} as const;

export const NOT_DECIDED = { en: 'Nothing has been decided yet.', es: 'Todavía no se ha decidido nada.' };

/** 8 CFR 265.1 */
export const NEW_ADDRESS = {
  en: 'Tell USCIS within 10 days of moving.',
  es: 'Avise a USCIS dentro de los 10 días después de mudarse.',
  law: '8 CFR 265.1',
};

export const ASK_A_LAWYER = {
  en: 'Talk to an immigration lawyer.',
  es: 'Consulte a un abogado de inmigración.',
};
