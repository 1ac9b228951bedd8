import type { CaseStatusResult } from '@casewatch/contracts/cases';
import { formatAgencyDate } from '../../lib/format-agency-date.ts';

/** What is known of a case besides its status. */
export function CaseFacts({ result }: { result: CaseStatusResult }) {
  const facts: [name: string, value: string][] = [
    ['Form Type', result.formType],
    ['Application/Petition Type', result.applicationOrPetitionType],
    ['Substatus', result.caseSubstatus],
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
