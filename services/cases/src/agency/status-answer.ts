import { storableText } from '@casewatch/service-kit/database/storable-json';
import { z } from 'zod';
import type { AgencyCase } from '../domain/agency.ts';
import { normaliseFormType } from './form-type.ts';
import { htmlToText } from './html-to-text.ts';

/** Limits in characters, as sent and before anything is converted; real answers stay below a tenth of them. */
const LONGEST_TITLE = 1_000;
const LONGEST_TEXT = 20_000;
const LONGEST_DATE = 40;
const LONGEST_HISTORY = 500;
/** The longest title that is shown, as plain text. */
const LONGEST_SHOWN_TITLE = 300;

const title = z.string().min(1).max(LONGEST_TITLE);
const optionalText = z.string().max(LONGEST_SHOWN_TITLE).nullish();
/** Only a translation of what counts: one that can't be used is left out, and the answer stands. */
const translation = (most: number) => z.string().max(most).optional().catch(undefined);
const date = z
  .string()
  .max(LONGEST_DATE)
  .nullish()
  .transform((text) => (text && storableText(text).trim()) || null);

const statusAnswer = z.object({
  case_status: z.object({
    receiptNumber: z.string().max(LONGEST_DATE),
    formType: optionalText,
    submittedDate: date,
    modifiedDate: date,
    applicationOrPetitionType: optionalText,
    caseSubstatus: optionalText,
    channelType: optionalText,
    current_case_status_text_en: title,
    current_case_status_desc_en: z.string().max(LONGEST_TEXT).nullish(),
    current_case_status_text_es: translation(LONGEST_TITLE),
    current_case_status_desc_es: translation(LONGEST_TEXT),
    // Counted first: the entries of a list that is too long are not looked at.
    hist_case_status: z
      .array(z.unknown())
      .max(LONGEST_HISTORY)
      .pipe(
        z.array(z.object({ date, completed_text_en: title, completed_text_es: translation(LONGEST_TITLE) })),
      )
      .nullish(),
  }),
});

/**
 * Returns the case in the body of a 200, or why it is not an answer about this case in the agreed form: then nothing
 * in it is believed. Text is converted only after the sizes of all fields are checked.
 */
export function readStatusAnswer(
  json: unknown,
  receiptNumber: string,
  linkHosts: readonly string[],
): AgencyCase | { fault: string } {
  const parsed = statusAnswer.safeParse(json);
  if (!parsed.success) return { fault: describe(parsed.error) };
  const answer = parsed.data.case_status;
  if (!isSameCase(answer.receiptNumber, receiptNumber)) return { fault: 'about another case' };
  const plain = (text: string | null | undefined) => (text ? htmlToText(text, []).text : '');
  const status = plain(answer.current_case_status_text_en);
  const history = (answer.hist_case_status ?? []).map((entry) => {
    const title = plain(entry.completed_text_en);
    return { status: title, statusEs: spanishTitle(entry.completed_text_es, title), date: entry.date };
  });
  for (const { length } of [status, ...history.map((entry) => entry.status)]) {
    if (length === 0) return { fault: 'a title without text' };
    if (length > LONGEST_SHOWN_TITLE) return { fault: `a title of ${length} characters` };
  }
  const { text: description, links } = htmlToText(answer.current_case_status_desc_en ?? '', linkHosts);
  const inSpanish = htmlToText(answer.current_case_status_desc_es ?? '', linkHosts);
  const hasSpanish = inSpanish.text !== '' && inSpanish.text !== description;
  return {
    receiptNumber,
    status,
    description,
    links,
    statusEs: spanishTitle(answer.current_case_status_text_es, status),
    descriptionEs: hasSpanish ? inSpanish.text : null,
    linksEs: hasSpanish ? inSpanish.links : [],
    formType: normaliseFormType(plain(answer.formType)),
    petitionType: plain(answer.applicationOrPetitionType) || null,
    substatus: plain(answer.caseSubstatus) || null,
    channelType: plain(answer.channelType) || null,
    submittedDate: answer.submittedDate,
    modifiedDate: answer.modifiedDate,
    history,
  };
}

/** Null without a usable one; the agency repeats the English title where it has not translated it yet. */
function spanishTitle(html: string | undefined, english: string): string | null {
  const { text } = htmlToText(html ?? '', []);
  return text !== '' && text !== english && text.length <= LONGEST_SHOWN_TITLE ? text : null;
}

/** Names the first field at fault; holds nothing of the answer itself. */
function describe(error: z.ZodError): string {
  const [issue] = error.issues;
  return issue ? `${issue.path.join('.') || 'body'}: ${issue.message}` : 'another shape';
}

/** The agency writes some receipt numbers with an asterisk after the prefix, in place of the first digit. */
function isSameCase(answered: string, asked: string): boolean {
  const written = answered.trim().toUpperCase();
  return written === asked || written === `${asked.slice(0, 3)}*${asked.slice(4)}`;
}
