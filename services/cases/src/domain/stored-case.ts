import type { CaseStatusResult } from '@casewatch/contracts/cases';
import { formTitle, spanishFormTitle } from '@casewatch/contracts/form-titles';
import { officeText, serverText } from '@casewatch/contracts/server-text';
import { needsAction, phaseOf } from '@casewatch/contracts/status-guide';
import type { CaseFacts } from './agency.ts';
import { mergeHistory, type Observation } from './case-history.ts';

/** What the store knows of a receipt number. */
export interface StoredCase {
  receiptNumber: string;
  /** When the agency was asked that last answered "not recognized"; null when it has recognized the number since. */
  notRecognizedAtMs: number | null;
  /** What the agency said then, in its own words. */
  notRecognizedMessage: string | null;
  /** How old the last answer is, by the database's clock; below 0 where it is not known. */
  ageMs: number;
  /** The newest answer with a status; null when there never was one. */
  answer: StoredAnswer | null;
}

export interface StoredAnswer extends CaseFacts {
  /** When the agency was asked. */
  observedAtMs: number;
  observations: Observation[];
}

/** Returns a stored answer as the product shows it; what the agency does not send is derived. */
export function toCaseStatusResult(receiptNumber: string, answer: StoredAnswer): CaseStatusResult {
  return {
    receiptNumber,
    caseStatus: answer.status,
    needsAction: needsAction(answer.status),
    caseDescription: answer.description,
    descriptionLinks: answer.links,
    formType: answer.formType,
    applicationOrPetitionType: answer.petitionType ?? formTitle(answer.formType),
    caseSubstatus: answer.substatus ?? phaseOf(answer.status),
    channelType: answer.channelType ?? channelOf(receiptNumber),
    caseCreationDate: answer.submittedDate,
    caseLastUpdated: answer.modifiedDate,
    histCaseData: mergeHistory(answer.observations),
    observedAt: new Date(answer.observedAtMs).toISOString(),
    statusEs: answer.statusEs ?? undefined,
    applicationOrPetitionTypeEs: spanishFormTitle(answer.formType),
    descriptionEs: answer.descriptionEs ?? undefined,
    descriptionLinksEs: answer.linksEs.length > 0 ? answer.linksEs : undefined,
  };
}

/** Returns where a case was filed, from the prefix of its receipt number. */
export function channelOf(receiptNumber: string): string {
  return serverText('en', officeText(receiptNumber.slice(0, 3))) ?? '';
}
