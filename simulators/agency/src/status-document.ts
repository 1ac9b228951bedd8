import { agencyDay, agencyTimestamp, longDate } from './agency-dates.ts';
import type { CaseRecord } from './case-record.ts';
import { descriptionKind, SPANISH_TITLES } from './data/description-kinds.ts';
import { STATUS_DESCRIPTIONS } from './data/status-descriptions.ts';

/** What the agency sends for a case, with its traps: history null when empty, no dates for online filings, HTML in texts. */
export interface StatusDocument {
  case_status: {
    receiptNumber: string;
    formType: string;
    submittedDate?: string;
    modifiedDate?: string;
    current_case_status_text_en: string;
    current_case_status_desc_en: string;
    current_case_status_text_es: string;
    current_case_status_desc_es: string;
    hist_case_status: { date: string; completed_text_en: string; completed_text_es: string }[] | null;
  };
  message: string;
}

export function statusDocument(record: CaseRecord): StatusDocument {
  const { receiptNumber, formType, status, history } = record;
  const description = describe(record);
  const dates = {
    submittedDate: agencyTimestamp(record.submittedMs),
    modifiedDate: agencyTimestamp(record.modifiedMs),
  };
  return {
    case_status: {
      receiptNumber,
      formType,
      ...(receiptNumber.startsWith('IOE') ? {} : dates),
      current_case_status_text_en: status,
      current_case_status_desc_en: description.en,
      current_case_status_text_es: inSpanish(status),
      current_case_status_desc_es: description.es,
      hist_case_status:
        history.length === 0
          ? null
          : history.map((step) => ({
              date: agencyDay(step.atMs),
              completed_text_en: step.status,
              completed_text_es: inSpanish(step.status),
            })),
    },
    message: 'Query was successful!',
  };
}

/** Returns a document as text that is not JSON: the quotes of the links in the descriptions are not escaped. */
export function brokenText(document: StatusDocument): string {
  return JSON.stringify(document).replaceAll('\\"', '"');
}

/** Returns the same facts under other names, as after an unannounced change of the interface; valid JSON. */
export function changedShape(document: StatusDocument): unknown {
  const { receiptNumber, current_case_status_text_en: title } = document.case_status;
  return { caseStatus: { receipt: receiptNumber, status: { title } }, message: document.message };
}

/** Titles outside the vocabulary have no translation, as happens with the agency's newest ones. */
function inSpanish(title: string): string {
  return SPANISH_TITLES.get(title) ?? title;
}

function describe({ receiptNumber, form, status, modifiedMs }: CaseRecord): { en: string; es: string } {
  const template = STATUS_DESCRIPTIONS[descriptionKind(status)];
  const date = longDate(modifiedMs);
  const office = serviceCenter(receiptNumber);
  const fill = (text: string, language: 'en' | 'es', formName: string) =>
    text
      .replaceAll('{date}', date[language])
      .replaceAll('{form}', formName)
      .replaceAll('{receipt}', receiptNumber)
      .replaceAll('{office}', office[language]);
  return {
    en: fill(template.en, 'en', `Form ${form.type}, ${form.english}`),
    es: fill(template.es, 'es', `Formulario ${form.type}, ${form.spanish}`),
  };
}

const SERVICE_CENTERS = new Map([
  ['EAC', { en: 'Vermont Service Center', es: 'Centro de Servicio de Vermont' }],
  ['WAC', { en: 'California Service Center', es: 'Centro de Servicio de California' }],
  ['LIN', { en: 'Nebraska Service Center', es: 'Centro de Servicio de Nebraska' }],
  ['SRC', { en: 'Texas Service Center', es: 'Centro de Servicio de Texas' }],
  ['MSC', { en: 'National Benefits Center', es: 'Centro Nacional de Beneficios' }],
  ['NBC', { en: 'National Benefits Center', es: 'Centro Nacional de Beneficios' }],
  ['YSC', { en: 'Potomac Service Center', es: 'Centro de Servicio de Potomac' }],
  ['IOE', { en: 'online filing system', es: 'sistema de presentación en línea' }],
]);

/** Returns the office that the receipt number's first three letters name. */
export function serviceCenter(receiptNumber: string): { en: string; es: string } {
  return SERVICE_CENTERS.get(receiptNumber.slice(0, 3)) ?? { en: 'service center', es: 'centro de servicio' };
}
