/** The agency's own pages that the texts of the status guide lead to. */
export const AGENCY_PAGES = {
  address: ['How to change your address', 'https://www.uscis.gov/addresschange'],
  appeals: ['Appeals and motions', 'https://www.uscis.gov/administrative-appeals'],
  asylum: ['Asylum', 'https://www.uscis.gov/humanitarian/refugees-and-asylum/asylum'],
  biometrics: [
    'Preparing for your biometric services appointment',
    'https://www.uscis.gov/forms/filing-guidance/preparing-for-your-biometric-services-appointment',
  ],
  consular: [
    'Consular processing',
    'https://www.uscis.gov/green-card/green-card-processes-and-procedures/consular-processing',
  ],
  contact: ['Contact the agency', 'https://www.uscis.gov/contactcenter'],
  delivery: [
    'How to track the delivery of your notice or card',
    'https://www.uscis.gov/forms/filing-guidance/how-to-track-delivery-of-your-notice-or-secure-identity-document-or-card',
  ],
  evidence: [
    'Requests for evidence and notices of intent',
    'https://www.uscis.gov/policy-manual/volume-1-part-e-chapter-6',
  ],
  expedite: ['Expedite requests', 'https://www.uscis.gov/forms/filing-guidance/expedite-requests'],
  fees: ['Filing fees', 'https://www.uscis.gov/forms/filing-fees'],
  forms: ['All forms', 'https://www.uscis.gov/forms/all-forms'],
  greenCard: ['Green card', 'https://www.uscis.gov/green-card'],
  lawyer: [
    'Finding legal services',
    'https://www.uscis.gov/scams-fraud-and-misconduct/avoid-scams/find-legal-services',
  ],
  naturalization: [
    'Naturalization ceremonies',
    'https://www.uscis.gov/citizenship/learn-about-citizenship/naturalization-ceremonies',
  ],
  naturalizationTest: [
    'The naturalization interview and test',
    'https://www.uscis.gov/citizenship/learn-about-citizenship/the-naturalization-interview-and-test',
  ],
  premium: ['Premium processing', 'https://www.uscis.gov/i-907'],
  replaceCard: ['Replace your green card', 'https://www.uscis.gov/i-90'],
  representative: ['Form G-28', 'https://www.uscis.gov/g-28'],
  workPermit: ['Employment authorization document', 'https://www.uscis.gov/i-765'],
  i485: ['Form I-485', 'https://www.uscis.gov/i-485'],
  n336: ['Form N-336', 'https://www.uscis.gov/n-336'],
} as const satisfies Record<string, readonly [name: string, href: `https://www.uscis.gov/${string}`]>;

export type AgencyPage = keyof typeof AGENCY_PAGES;

/** The explanation of a status, in plain language. */
export interface Guidance {
  /** What the status means. */
  means: string;
  /** What the applicant may need to do. */
  todo: string;
  page: AgencyPage;
}

/** Status titles that share a text. `forms` has what differs for a form (`N-400`). */
export interface GuideEntry extends Guidance {
  titles: readonly string[];
  forms?: Readonly<Record<string, Partial<Guidance>>>;
}

/** The texts of an entry in another language; `forms` has those that differ for a form. */
export interface TranslatedEntry extends Explanation {
  forms?: Readonly<Record<string, Partial<Explanation>>>;
}

/** The same texts for each entry, by its first title: one that is missing does not compile. */
export type Translated<Entries extends readonly GuideEntry[]> = {
  readonly [Entry in Entries[number] as Entry['titles'][0]]: Explanation & TranslatedForms<Entry>;
};

type Explanation = Pick<Guidance, 'means' | 'todo'>;
type TranslatedForms<Entry> = Entry extends { forms: infer Forms }
  ? keyof FormTexts<Forms> extends never
    ? unknown
    : { forms: FormTexts<Forms> }
  : unknown;
type FormTexts<Forms> = {
  [Form in keyof Forms as keyof Forms[Form] & keyof Explanation extends never ? never : Form]: {
    [Text in keyof Forms[Form] & keyof Explanation]: string;
  };
};
