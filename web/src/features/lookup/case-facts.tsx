import type { CaseStatusResult } from '@casewatch/contracts/cases';
import { formatAgencyDate } from '../../lib/format-agency-date.ts';

/** What is known of a case besides its status. */
export function CaseFacts({ result }: { result: CaseStatusResult }) {
  const facts: [name: string, value: string][] = [
    ['Form Type', result.formType],
    ['Application/Petition Type', result.applicationOrPetitionType],
    ['Substatus', capitalised(result.caseSubstatus)],
    ['Channel Type', result.channelType],
    ['Creation Date', formatAgencyDate(result.caseCreationDate)],
    ['Last Updated', formatAgencyDate(result.caseLastUpdated)],
  ];
  return (
    <dl className="case-facts">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value || 'Not provided'}</dd>
        </div>
      ))}
    </dl>
  );
}

/** The phases of a case are words of a vocabulary, in lower case. */
function capitalised(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
