import type { GuideEntry } from './guide-pages.ts';

/** What an approval and a denial mean, which differs most by form. Reviewed with the date in `status-guide.ts`. */
export const DECISIONS = [
  {
    titles: [
      'Case Was Approved',
      'Case Was Approved And A Decision Notice Was Sent',
      'Case Was Approved And My Decision Was Emailed',
    ],
    means: 'The agency said yes to what this form asks for. The approval notice says what it allows.',
    todo: 'Keep the approval notice and read it: some approvals need a further step.',
    page: 'forms',
    forms: {
      'I-130': {
        means:
          'The agency accepts the family relationship. This alone is no visa and no green card: the relative still applies for one when a visa is available.',
        todo: 'If the relative is abroad, watch for the National Visa Center. If in the United States, see whether Form I-485 can be filed.',
        page: 'consular',
      },
      'I-140': {
        means:
          'The agency accepts the job petition. This alone is no green card: the worker still applies for one when a visa is available.',
        todo: 'Check the Visa Bulletin for the priority date on the approval notice, then apply for a visa abroad or file Form I-485.',
        page: 'greenCard',
      },
      'I-485': {
        means: 'You are a permanent resident. The green card follows by mail.',
        todo: 'Watch for the card, usually within a few weeks. Check every line on it, and carry it with you.',
        page: 'greenCard',
      },
      'I-765': {
        means: 'You may work until the date on the card, which follows by mail.',
        todo: 'Watch for the card and check its dates. Note when to renew it.',
        page: 'workPermit',
      },
      'I-131': {
        means: 'The travel document was granted and follows by mail.',
        todo: 'Do not travel on the strength of this status alone: wait until you hold the document.',
        page: 'delivery',
      },
      'I-751': {
        means: 'The conditions on your residence are removed. A ten-year card follows by mail.',
        todo: 'Watch for the card and check every line on it.',
        page: 'greenCard',
      },
      'I-90': {
        means: 'Your green card will be replaced. The new card follows by mail.',
        todo: 'Watch for the card and check every line on it.',
        page: 'replaceCard',
      },
      'N-400': {
        means: 'The application is approved. You become a citizen only by taking the oath.',
        todo: 'Watch for the notice of the oath ceremony, and bring your green card to it.',
        page: 'naturalization',
      },
      'I-129': {
        means:
          'The agency accepts the petition for the worker. It sets for which job and until when; the visa or the status itself may need a further step.',
        todo: 'The employer and the worker check the dates on the approval notice. Abroad, the worker applies for the visa at a consulate.',
        page: 'forms',
      },
      'I-129F': {
        means:
          'The agency accepts the petition for the fiancé(e). This alone is no visa: a consulate decides on it after an interview.',
        todo: 'Watch for the National Visa Center or the consulate. The approval holds for a limited time, usually four months, which the consulate can extend.',
        page: 'consular',
      },
      'I-539': {
        means: 'Your stay was extended, or your status changed, until the date on the notice.',
        todo: 'Note the new date, and keep the notice with your passport and your arrival record.',
        page: 'forms',
      },
      'I-589': {
        means: 'Asylum was granted. You may stay and work in the United States.',
        todo: 'Read the notice: it says how to ask for family members, within two years, and from when you can apply for a green card.',
        page: 'asylum',
      },
      'I-601A': {
        means:
          'The unlawful presence is waived provisionally. The waiver takes effect only when you leave and a consulate finds nothing else in the way.',
        todo: 'Do not leave on the strength of this status alone: wait for the visa interview, and ask a lawyer when you are not sure.',
        page: 'consular',
      },
      'I-730': {
        means:
          'The agency accepts the relationship to the refugee or asylee. Relatives abroad still need an interview and travel papers.',
        todo: 'Watch for the notice: it says which office or consulate goes on with the case.',
        page: 'consular',
      },
      'I-821': {
        means:
          'Temporary protected status was granted until the date on the notice. It is no permanent residence.',
        todo: 'Note when to register again: the agency announces a short period for each country.',
        page: 'forms',
      },
      'I-821D': {
        means: 'Your removal is deferred until the date on the notice. This is no lawful status.',
        todo: 'Ask for the renewal in time, about four to five months before that date, together with the work permit.',
        page: 'forms',
      },
      'N-600': {
        means: 'The agency recognizes that you are a citizen. The certificate follows, often after an oath.',
        todo: 'Watch for the notice of an appointment or for the certificate, and check every line on it.',
        page: 'naturalization',
      },
    },
  },
  {
    titles: ['Case Was Denied', 'Case Was Denied And My Decision Notice Mailed'],
    means:
      'The agency said no to this form. The decision notice has the reasons, and whether an appeal or a motion is possible.',
    todo: 'Read the notice as soon as it comes: the time to appeal is short, often about a month, and begins with the date of the decision. Consider asking an immigration lawyer.',
    page: 'appeals',
    forms: {
      'I-485': {
        todo: 'Read the notice as soon as it comes: your stay may no longer be permitted, and a court may take the case on. Ask an immigration lawyer now.',
        page: 'lawyer',
      },
      'I-539': {
        todo: 'Read the notice as soon as it comes. If your earlier stay has run out, leaving soon may matter: ask an immigration lawyer now.',
        page: 'lawyer',
      },
      'I-589': {
        todo: 'Read the notice as soon as it comes: it says whether the case goes to an immigration court, where asylum can be asked for again. Get legal advice now.',
        page: 'lawyer',
      },
      'N-400': {
        todo: 'Read the notice as soon as it comes. You can ask for a hearing with Form N-336 within the time it names, or apply again later.',
        page: 'n336',
      },
    },
  },
] as const satisfies readonly GuideEntry[];
