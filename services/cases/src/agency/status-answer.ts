import { isSameStatus } from '@casewatch/contracts/fold-status';
import { z } from 'zod';
import type { AgencyCase } from '../domain/agency.ts';
import { htmlToText } from './html-to-text.ts';

/** Limits in characters, as sent and before anything is converted; real answers stay below a tenth of them. */
const MAX_TITLE = 1_000;
const MAX_TEXT = 20_000;
const MAX_DATE = 40;
/** What is read of a history: this many entries from its beginning, with this many characters in their titles. */
const MAX_HISTORY = { entries: 500, characters: 100_000 };
/** The longest title that is shown, as plain text. */
const MAX_SHOWN_TITLE = 300;

/** What does not make the status: one that cannot be read is left out, and the answer stands. */
const optional = (max: number) => z.string().max(max).nullish().catch(null);

const statusAnswer = z.object({
  case_status: z.object({
    receiptNumber: z.string().max(MAX_DATE),
    formType: optional(MAX_SHOWN_TITLE),
    submittedDate: optional(MAX_DATE),
    modifiedDate: optional(MAX_DATE),
    applicationOrPetitionType: optional(MAX_SHOWN_TITLE),
    caseSubstatus: optional(MAX_SHOWN_TITLE),
    channelType: optional(MAX_SHOWN_TITLE),
    current_case_status_text_en: z.string().min(1).max(MAX_TITLE),
    current_case_status_desc_en: optional(MAX_TEXT),
    current_case_status_text_es: optional(MAX_TITLE),
    current_case_status_desc_es: optional(MAX_TEXT),
    hist_case_status: z.unknown().optional(),
  }),
});

const historyEntry = z.object({
  date: optional(MAX_DATE),
  completed_text_en: z.string().max(MAX_TITLE),
  completed_text_es: optional(MAX_TITLE),
});

/**
 * Returns the case in the body of a 200, or why it is not an answer about this case with a status: then nothing in it is
 * believed. Whatever else cannot be read is left out. Text is converted only after its size is checked.
 */
export function readStatusAnswer(
  json: unknown,
  receiptNumber: string,
  linkHosts: readonly string[],
): AgencyCase | { problem: string } {
  const parsed = statusAnswer.safeParse(json);
  if (!parsed.success) return { problem: describe(parsed.error) };
  const answer = parsed.data.case_status;
  if (!isSameCase(answer.receiptNumber, receiptNumber)) return { problem: 'about another case' };
  const status = plain(answer.current_case_status_text_en);
  if (status === '') return { problem: 'current_case_status_text_en: a title without text' };
  if (status.length > MAX_SHOWN_TITLE)
    return { problem: `current_case_status_text_en: a title of ${status.length} characters` };
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
    submittedDate: plain(answer.submittedDate) || null,
    modifiedDate: plain(answer.modifiedDate) || null,
    ...readHistory(answer.hist_case_status),
  };
}

/** The agency sends null where it lists no entry. */
function readHistory(list: unknown): Pick<AgencyCase, 'history' | 'isWholeHistory'> {
  if (list === null) return { history: [], isWholeHistory: true };
  if (!Array.isArray(list)) return { history: [], isWholeHistory: false };
  const history: AgencyCase['history'] = [];
  let characters = 0;
  for (const sent of list.slice(0, MAX_HISTORY.entries)) {
    const { data: entry } = historyEntry.safeParse(sent);
    if (!entry) continue;
    characters += entry.completed_text_en.length + (entry.completed_text_es?.length ?? 0);
    if (characters > MAX_HISTORY.characters) break;
    const status = plain(entry.completed_text_en);
    if (status === '' || status.length > MAX_SHOWN_TITLE) continue;
    const statusEs = spanishTitle(entry.completed_text_es, status);
    history.push({ status, statusEs, date: plain(entry.date) || null });
  }
  return { history, isWholeHistory: history.length === list.length };
}

const plain = (text: string | null | undefined) => (text ? htmlToText(text, []).text : '');

/** Null without a usable one; the agency repeats the English title where it has not translated it yet. */
function spanishTitle(html: string | null | undefined, english: string): string | null {
  const text = plain(html);
  return text !== '' && !isSameStatus(text, english) && text.length <= MAX_SHOWN_TITLE ? text : null;
}

/** Names the first field that cannot be read; holds nothing of the answer itself. */
function describe(error: z.ZodError): string {
  const [issue] = error.issues;
  return issue ? `${issue.path.join('.') || 'body'}: ${issue.message}` : 'another shape';
}

/** The agency writes some receipt numbers with an asterisk after the prefix, in place of the first digit. */
function isSameCase(answered: string, asked: string): boolean {
  const written = answered.trim().toUpperCase();
  return written === asked || written === `${asked.slice(0, 3)}*${asked.slice(4)}`;
}

/** Returns `N-400` for `N400`, `n-400` and `N-400`; what looks like no form number stays as it is. */
export function normaliseFormType(formType: string): string {
  const trimmed = formType.trim();
  const parts = /^([A-Z]{1,4})[\s-]?([0-9]+[A-Z0-9]*)$/i.exec(trimmed);
  return parts ? `${parts[1]}-${parts[2]}`.toUpperCase() : trimmed;
}
