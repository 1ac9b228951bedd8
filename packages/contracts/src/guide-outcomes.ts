import type { GuideEntry } from './guide-pages.ts';

const FILE_AGAIN =
  'The agency sent everything back without deciding, so the filing date does not count. You can usually file again.';

/** What cards, notices, appeals and endings mean. Reviewed with the date in `status-guide.ts`. */
export const OUTCOMES = [
  {
    titles: ['Case Approval Was Certified By USCIS', 'Eligibility Notice Was Mailed'],
    means:
      'The agency confirmed that the case meets the requirements it looked at. A notice has the details.',
    todo: 'Read the notice: it says what comes next.',
    page: 'forms',
  },
  {
    titles: ['Case Approval Was Reaffirmed And Mailed Back To Department Of State'],
    means: 'After looking again the agency stands by its approval and sent the case back for the visa.',
    todo: 'Watch for mail of the consulate or the National Visa Center.',
    page: 'consular',
  },
  {
    titles: ['Continuation Notice Was Mailed'],
    means: 'A notice says that something goes on, such as your status while a form is pending.',
    todo: 'Read it and keep it with your papers: you may need to show it.',
    page: 'contact',
  },
  {
    titles: ['Appeal Was Approved'],
    means: 'The appeal succeeded. The case goes back so that the new decision takes effect.',
    todo: 'Read the decision and watch for the next notice.',
    page: 'appeals',
  },
  {
    titles: ['Appeal Was Dismissed'],
    means: 'The appeal did not succeed: the earlier decision stands.',
    todo: 'Read the decision soon. A motion, or a court, may be possible for a short time only; a lawyer can tell.',
    page: 'appeals',
  },
  {
    titles: ['Case Was Automatically Revoked', 'Revocation Notice Was Sent'],
    means: 'An approval was taken back. The notice says why and from when.',
    todo: 'Read the notice soon: the time to appeal, where that is possible, is short. Consider asking an immigration lawyer.',
    page: 'appeals',
  },
  {
    titles: [
      'Advance Parole Document Was Produced',
      'New Card Is Being Produced',
      'Reentry Permit Was Produced',
      'Refugee Travel Document Was Produced',
      'Request For A Duplicate Card Was Approved',
    ],
    means: 'Your card or document is being made and will be mailed.',
    todo: 'Make sure the agency has your current address. Mailing usually follows within days or a few weeks.',
    page: 'delivery',
  },
  {
    titles: [
      'Card Was Mailed To Me',
      'Card Was Picked Up By The United States Postal Service',
      'Document Was Mailed',
      'Document Was Mailed To Me',
      'Travel Document Was Mailed',
    ],
    means: 'Your card or document is in the mail.',
    todo: 'Watch your mailbox. If it does not come within 30 days, contact the agency; your online account may have a tracking number.',
    page: 'delivery',
  },
  {
    titles: ['Card Was Delivered To Me By The Post Office'],
    means: 'The post office reports that it delivered your card.',
    todo: 'Check every line on the card. If you do not have it, ask the post office and people you live with, then contact the agency.',
    page: 'delivery',
  },
  {
    titles: [
      'Card Is Being Returned to USCIS by Post Office',
      'Card Was Returned To USCIS',
      'Document Was Returned To USCIS',
      'Travel Document Was Returned to USCIS And Will Be Held For 180 Days',
    ],
    means:
      'The post office could not deliver your card or document, and it went back. The agency keeps it for a limited time, then destroys it.',
    todo: 'Correct your address with the agency now, and ask for the document to be mailed again.',
    page: 'address',
  },
  {
    titles: [
      'Card Destroyed',
      'Card Was Destroyed',
      'Document Destroyed',
      'Document Was Destroyed And Letter Was Received',
      'Travel Document Was Destroyed',
      'Travel Document Was Destroyed After USCIS Held It For 180 Days',
    ],
    means: 'The card or document no longer exists. What it stands for, such as your status, usually goes on.',
    todo: 'If you did not expect this, contact the agency and ask how to get a replacement. Often that needs a new form and fee.',
    page: 'contact',
  },
  {
    titles: [
      'Card Was Received By USCIS Along With My Letter',
      'Travel Document Was Received By USCIS Along With My Letter',
    ],
    means: 'The agency has the card or document that you sent back, and your letter.',
    todo: 'Wait for its answer. If you asked for a correction, a new card follows when it agrees.',
    page: 'delivery',
  },
  {
    titles: [
      'Case Rejected Because I Sent An Incorrect Fee',
      'Case Was Rejected Because My Check Or Money Order Is Not Signed',
      'Petition/Application Was Rejected For Insufficient Funds',
      'Resubmitted Fee Was Not Accepted',
    ],
    means: `The payment could not be accepted. ${FILE_AGAIN}`,
    todo: 'Read the rejection notice, check the current fee, and send the whole package again with a payment that works. Mind any deadline of your own.',
    page: 'fees',
  },
  {
    titles: [
      'Case Rejected Because The Version Of The Form I Sent Is No Longer Accepted',
      'Case Rejected For Form Not Signed And Incorrect Form Version',
      'Case Was Rejected Because I Did Not Sign My Form',
      'Case Was Rejected Because It Was Improperly Filed',
    ],
    means: `The form could not be accepted as it was. ${FILE_AGAIN}`,
    todo: 'Read the rejection notice, take the newest version of the form, sign it, and send the whole package again. Mind any deadline of your own.',
    page: 'forms',
  },
  {
    titles: [
      'Case Rejected For Incorrect Fee And Form Not Signed',
      'Case Rejected For Incorrect Fee And Incorrect Form Version',
      'Case Rejected For Incorrect Fee And Payment Not Signed',
      'Case Rejected For Incorrect Fee, Payment Not Signed And Incorrect Form Version',
    ],
    means: `Both the payment and the form, or several things about the payment, were wrong. ${FILE_AGAIN}`,
    todo: 'Read the rejection notice and put every point right: current fee, newest form, all signatures. Then send the whole package again.',
    page: 'forms',
  },
  {
    titles: ['Form G-28 Was Rejected Because It Was Improperly Filed'],
    means: 'The form that names your lawyer or representative was not accepted. The case itself goes on.',
    todo: 'Ask your representative to file Form G-28 again. Until then notices may come to you alone.',
    page: 'representative',
  },
  {
    titles: ['Case Closed Benefit Received By Other Means'],
    means: 'The agency closed the case because you already have what it asked for.',
    todo: 'Usually nothing. If that is wrong, contact the agency.',
    page: 'contact',
  },
  {
    titles: ['Status Termination Notice Was Mailed', 'Termination Notice Sent'],
    means: 'The agency ended a status or a case. The notice says which, why and from when.',
    todo: 'Read the notice as soon as it comes and consider asking an immigration lawyer: the time to answer is short.',
    page: 'lawyer',
  },
  {
    titles: ['Appeal Was Terminated and A Notice Was Mailed To Me'],
    means: 'The appeal ended without a decision on its merits. The notice says why.',
    todo: 'Read the notice: it says whether anything is still possible.',
    page: 'appeals',
  },
  {
    titles: ['Withdrawal Acknowledgement Notice Was Sent', 'Withdrawal Of My Appeal Was Acknowledged'],
    means: 'The agency confirms that the case or appeal was taken back on request. It will not decide it.',
    todo: 'Keep the notice. If nobody asked for this, contact the agency at once.',
    page: 'contact',
  },
  {
    titles: [
      'Amended Notice Was Mailed',
      'Duplicate Notice Was Mailed',
      'Notice Explaining USCIS Actions Was Mailed',
    ],
    means: 'A notice about the case is in the mail. This status does not say what is in it.',
    todo: 'Read it when it comes and look for a date by which to answer. If it does not come within 30 days, contact the agency.',
    page: 'contact',
  },
  {
    titles: ['Notice Was Returned To USCIS Because The Post Office Could Not Deliver It'],
    means: 'A letter about this case came back to the agency. You may be missing something with a deadline.',
    todo: 'Correct your address with the agency now, and ask what the letter said and to have it mailed again.',
    page: 'address',
  },
  {
    titles: ['Date of Birth Was Updated', 'Name Was Updated'],
    means: 'The agency changed your personal details in its records. The case goes on as before.',
    todo: 'Check that the change is right. If you did not ask for it, contact the agency.',
    page: 'contact',
  },
  {
    titles: ['Fee Refund Was Mailed', 'Fee Will Be Refunded'],
    means: 'The agency pays a fee back. The refund does not decide the case.',
    todo: 'Watch for the refund. If it does not come, contact the agency.',
    page: 'fees',
  },
] as const satisfies readonly GuideEntry[];
