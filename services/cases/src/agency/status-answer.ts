import { z } from 'zod';
import { normaliseFormType } from './form-type.ts';
import { htmlToText } from './html-to-text.ts';

/** What the agency says about a case, cleaned: plain text, one way of writing forms, no missing lists. */
export interface AgencyCase {
  receiptNumber: string;
  status: string;
  description: string;
  links: { text: string; href: string }[];
  /** `N-400`; empty when the agency does not say. */
  formType: string;
  /** These three only when the agency sends them. */
  petitionType: string | null;
  substatus: string | null;
  channelType: string | null;
  /** As the agency writes them; receipts that start with IOE have neither. */
  submittedDate: string | null;
  modifiedDate: string | null;
  /** Newest first, as the agency lists it. */
  history: { status: string; date: string | null }[];
}

const LONGEST_TITLE = 300;
const LONGEST_TEXT = 20_000;
const LONGEST_HISTORY = 500;

const title = z
  .string()
  .max(LONGEST_TEXT)
  .transform((text) => htmlToText(text).text)
  .pipe(z.string().min(1).max(LONGEST_TITLE));
const optionalText = z
  .string()
  .max(LONGEST_TITLE)
  .nullish()
  .transform((text) => (text ? htmlToText(text).text : '') || null);
const date = z
  .string()
  .max(40)
  .nullish()
  .transform((text) => text?.trim() || null);

const statusAnswer = z.object({
  case_status: z.object({
    receiptNumber: z.string(),
    formType: z.string().max(LONGEST_TITLE).nullish(),
    submittedDate: date,
    modifiedDate: date,
    applicationOrPetitionType: optionalText,
    caseSubstatus: optionalText,
    channelType: optionalText,
    current_case_status_text_en: title,
    current_case_status_desc_en: z.string().max(LONGEST_TEXT).nullish(),
    hist_case_status: z
      .array(z.object({ date, completed_text_en: title }))
      .max(LONGEST_HISTORY)
      .nullish(),
  }),
});

/**
 * The case in the body of a 200, or undefined when it is not an answer about this case in the agreed form: then
 * nothing in it is believed.
 */
export function readStatusAnswer(json: unknown, receiptNumber: string): AgencyCase | undefined {
  const parsed = statusAnswer.safeParse(json);
  if (!parsed.success) return undefined;
  const answer = parsed.data.case_status;
  if (!isSameCase(answer.receiptNumber, receiptNumber)) return undefined;
  const { text: description, links } = htmlToText(answer.current_case_status_desc_en ?? '');
  return {
    receiptNumber,
    status: answer.current_case_status_text_en,
    description,
    links,
    formType: normaliseFormType(htmlToText(answer.formType ?? '').text),
    petitionType: answer.applicationOrPetitionType,
    substatus: answer.caseSubstatus,
    channelType: answer.channelType,
    submittedDate: answer.submittedDate,
    modifiedDate: answer.modifiedDate,
    history: (answer.hist_case_status ?? []).map((entry) => ({
      status: entry.completed_text_en,
      date: entry.date,
    })),
  };
}

/** The agency writes some receipt numbers with an asterisk after the prefix, in place of the first digit. */
function isSameCase(answered: string, asked: string): boolean {
  const written = answered.trim().toUpperCase();
  return written === asked || (written[3] === '*' && written === `${asked.slice(0, 3)}*${asked.slice(4)}`);
}
