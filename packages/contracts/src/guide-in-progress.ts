import type { GuideEntry } from './guide-pages.ts';

const NOT_DECIDED = 'Nothing has been decided yet.';
const WITH_BIOMETRICS = {
  todo: 'Keep your receipt notice. The next letter is often an appointment for fingerprints and a photo, so make sure the agency has your current address.',
};

/** What the statuses on the way to a decision mean. Reviewed with the date in `status-guide.ts`. */
export const IN_PROGRESS = [
  {
    titles: [
      'Case Accepted By The USCIS Lockbox',
      'Case Was Received',
      'Case Was Received and A Receipt Notice Was Emailed',
      'Filed Under Known Employer Pilot',
    ],
    means: `The agency has the application or petition and has given it a receipt number. ${NOT_DECIDED}`,
    todo: 'Keep the receipt notice and check that the names and dates on it are right. Tell the agency if your address changes. Otherwise this is a time of waiting; how long depends on the form and the office.',
    page: 'address',
    forms: {
      'I-485': WITH_BIOMETRICS,
      'I-765': WITH_BIOMETRICS,
      'I-90': WITH_BIOMETRICS,
      'I-751': WITH_BIOMETRICS,
      'I-589': WITH_BIOMETRICS,
      'I-821': WITH_BIOMETRICS,
      'I-821D': WITH_BIOMETRICS,
      'N-400': {
        todo: 'Keep your receipt notice. Fingerprints and an interview with the English and civics tests usually follow, so make sure the agency has your current address.',
        page: 'naturalizationTest',
      },
    },
  },
  {
    titles: ['Fees Were Waived', 'Fingerprint Fee Was Received'],
    means: `The fee is settled: it was paid, or the agency does not ask for it. ${NOT_DECIDED}`,
    todo: 'Nothing for now. The next step comes by mail or in your online account.',
    page: 'fees',
  },
  {
    titles: ['Request For Premium Processing Services Was Received'],
    means:
      'The agency has a request for premium processing. It promises an action within a set time: a decision, a request for evidence, or a notice of intent. It does not promise an approval.',
    todo: 'Watch for mail. If more evidence is asked for, the time starts again when the answer arrives.',
    page: 'premium',
  },
  {
    titles: [
      'Premium Processing Case is Eligible for Pre-Certification',
      'Premium Processing Case is Not Eligible for Pre-Certification',
    ],
    means:
      'The agency has checked whether the case qualifies for an internal step of premium processing. This is not a decision.',
    todo: 'Usually nothing. The petitioner can ask the agency what it means for the case.',
    page: 'premium',
  },
  {
    titles: ['Biometrics Appointment Was Scheduled', 'Fingerprint and Biometrics Appointment Was Scheduled'],
    means:
      'The agency wants your fingerprints, photo or signature at an application support center. Date, time and place are on the appointment notice.',
    todo: 'Go at the printed time with the notice and a valid photo ID. If you cannot go, ask for another date before the appointment: a missed one can end the case.',
    page: 'biometrics',
  },
  {
    titles: ['Case Was Updated To Show Fingerprints Were Taken'],
    means: `Your fingerprints were taken and background checks can go on. ${NOT_DECIDED}`,
    todo: 'Nothing for now. Keep the stamped appointment notice.',
    page: 'biometrics',
  },
  {
    titles: ['Case Was Updated To Show That No One Appeared for In-Person Processing'],
    means: 'The agency noted that nobody came to an appointment. It may treat the case as abandoned.',
    todo: 'Contact the agency at once, also if you did go: bring the stamped notice. Ask whether a new appointment is possible. A lawyer can help.',
    page: 'contact',
  },
  {
    titles: ['Request To Reschedule My Appointment Was Received'],
    means: 'The agency has your wish for another date. The old appointment counts until a new notice comes.',
    todo: 'Wait for the new notice. If the old date comes near without one, contact the agency.',
    page: 'biometrics',
  },
  {
    titles: ['Request for Additional Evidence Was Sent', 'Request for Initial Evidence Was Sent'],
    means:
      'The agency needs more documents before it can decide. The letter lists what is missing and the date by which an answer must arrive. It is not a denial.',
    todo: 'Read the letter as soon as it comes and send everything it asks for, together, with the letter on top, so that it arrives before the printed date. The date is usually not extended.',
    page: 'evidence',
  },
  {
    titles: [
      'CWR Notice of Intent to Revoke Sent',
      'Intent To Rescind Notice Was Mailed',
      'Intent to Revoke Notice Was Sent',
    ],
    means:
      'The agency plans to take back something it granted, and says why. It has not done so yet: you can answer first.',
    todo: 'Answer before the date printed in the notice, with evidence against each reason it gives. This is a good time to ask an immigration lawyer.',
    page: 'evidence',
  },
  {
    titles: [
      'Correspondence Was Received And USCIS Is Reviewing It',
      'Request for Additional Information Received',
      "Response To USCIS' Request For Evidence Was Received",
    ],
    means: `What was sent has arrived, and the agency is reading it. ${NOT_DECIDED}`,
    todo: 'Nothing for now. Keep a copy of what you sent and the proof of delivery.',
    page: 'evidence',
  },
  {
    titles: [
      'Case Was Transferred To Schedule An Interview',
      'Case is Ready to Be Scheduled for An Interview',
    ],
    means: 'An interview comes next. It waits for a free date at the local office; that can take months.',
    todo: 'Make sure the agency has your current address, and keep the originals of your documents at hand. The notice with the date comes by mail.',
    page: 'address',
  },
  {
    titles: ['Interview Was Scheduled', 'Interview Was Rescheduled'],
    means: 'There is a date for your interview. Date, time, place and what to bring are in the notice.',
    todo: 'Go at the printed time with the notice, a photo ID and the originals it lists. If you cannot go, say so before the date: a missed interview can end the case.',
    page: 'contact',
    forms: {
      'I-485': { page: 'i485' },
      'I-589': {
        todo: 'Go at the printed time with the notice, your ID and, if you need one, your own interpreter. If you cannot go, ask for another date before the interview.',
        page: 'asylum',
      },
      'N-400': {
        todo: 'Go at the printed time with the notice, your green card and your passports. Prepare for the English and civics tests. If you cannot go, ask for another date before the interview.',
        page: 'naturalizationTest',
      },
    },
  },
  {
    titles: ['Interview Cancelled', 'Interview Cancelled And Notice Ordered'],
    means:
      'The interview will not take place on its date. A notice says what comes instead. This is not a denial.',
    todo: 'Do not go on the old date. If no notice comes within a few weeks, contact the agency.',
    page: 'contact',
  },
  {
    titles: ['Interview Was Completed And My Case Must Be Reviewed'],
    means: 'The interview is over, and an officer reviews the case before deciding.',
    todo: 'Nothing, unless the officer asked for documents: then send them by the date you were given.',
    page: 'contact',
    forms: { 'N-400': { page: 'naturalization' } },
  },
  {
    titles: ['Case Is Pending at a Local Office'],
    means: `A local office is working on the case. ${NOT_DECIDED}`,
    todo: 'Watch for mail from that office, such as an interview notice.',
    page: 'contact',
  },
  {
    titles: [
      'Case Transferred And New Office Has Jurisdiction',
      'Case Transferred To Another Office',
      'Case Was Received At Another USCIS Office',
      'Case Was Transferred And A New Office Has Jurisdiction',
    ],
    means:
      'The case moved to another office of the agency, usually to spread the work. Your place in line and your receipt number stay.',
    todo: 'Nothing. From now on the processing times of the new office apply.',
    page: 'contact',
  },
  {
    titles: ['Case Was Transferred To An Asylum Office'],
    means: `An asylum office now has the case. ${NOT_DECIDED}`,
    todo: 'Watch for mail from that office. Tell it and the agency if your address changes.',
    page: 'asylum',
  },
  {
    titles: ['Case Was Transferred To International Office/Consulate'],
    means: 'An office abroad, or a consulate, now works on the case.',
    todo: 'Watch for instructions from that office: it tells you what to send and when to come.',
    page: 'consular',
  },
  {
    titles: ['Case Was Sent To The Department of State'],
    means:
      'The agency has passed the approved case to the Department of State, which handles visas. Its National Visa Center usually writes next.',
    todo: 'Watch for a letter or email of the National Visa Center and follow its steps. From now on it knows more than this page does.',
    page: 'consular',
  },
  {
    titles: ['Department of State Sent Case to USCIS For Review'],
    means:
      'A consulate returned the case with questions. The agency looks at it again and may keep or revoke the approval.',
    todo: 'Watch for a notice. If it is a notice of intent to revoke, it has a date by which to answer.',
    page: 'evidence',
  },
  {
    titles: ['Case Was Sent To The Executive Office of Immigration Review'],
    means:
      'The case is now with the immigration court or its appeals board, which is not part of the agency.',
    todo: 'Watch for mail of the court, above all for hearing dates. Get legal advice if you do not have a lawyer.',
    page: 'lawyer',
  },
  {
    titles: ['Case Was Sent To The Administrative Appeals Office for Review'],
    means: "The agency's appeals office reviews the decision. That usually takes months.",
    todo: 'Nothing, unless that office writes to you.',
    page: 'appeals',
  },
  {
    titles: [
      'Appeal Was Remanded To The Originating Office For Consideration',
      'Case Was Relocated From Administrative Appeals Office To USCIS Originating Office',
    ],
    means:
      'The case went back from the appeals office to the office that decided it, which looks at it again.',
    todo: 'Watch for a notice of that office. It may ask for more evidence by a date.',
    page: 'appeals',
  },
  {
    titles: ['Case Was Reopened', 'Case Was Reopened For Reconsideration'],
    means: 'The agency works on the case again. An earlier decision may change, or stay as it was.',
    todo: 'Read the notice: it says whether you have to do anything, and by when.',
    page: 'appeals',
  },
  {
    titles: ['Case Is On Hold Because Of Pending Litigation', 'Litigation Notice Was Mailed'],
    means: 'A lawsuit keeps the agency from going on with this case, or touches it.',
    todo: 'Read the notice. If you do not know of the lawsuit, ask the agency or a lawyer.',
    page: 'lawyer',
  },
  {
    titles: ['Expedite Request Received'],
    means: 'You asked for faster handling, and the agency is looking at the request.',
    todo: 'Answer quickly if it asks for proof of the urgency.',
    page: 'expedite',
  },
  {
    titles: ['Expedite Request Approved'],
    means: 'The agency will handle the case sooner. The outcome is still open.',
    todo: 'Watch for mail, and answer at once if something is asked for.',
    page: 'expedite',
  },
  {
    titles: ['Expedite Request Denied'],
    means: 'The case stays in the usual line. Only the wish for speed was turned down, not the case.',
    todo: 'Nothing. A new request needs a new or better reason.',
    page: 'expedite',
  },
] as const satisfies readonly GuideEntry[];
