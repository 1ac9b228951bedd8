import type { CaseStatusResult } from '@casewatch/contracts/cases';
import { t } from '@lingui/core/macro';
import { formatAgencyDate } from '../../lib/format-agency-date.ts';
import { languageShown } from '../../lib/format-number.ts';
import { serverText } from '../../lib/server-texts.ts';

/** Renders what is known of a case besides its status. */
export function CaseFacts({ result }: { result: CaseStatusResult }) {
  const facts: [name: string, value: string][] = [
    [t`Form Type`, result.formType],
    [t`Application/Petition Type`, formTitleShown(result)],
    [t`Substatus`, named('phase', result.caseSubstatus.toLowerCase(), capitalised(result.caseSubstatus))],
    [t`Channel Type`, named('office', result.receiptNumber.slice(0, 3), result.channelType)],
    [t`Creation Date`, formatAgencyDate(result.caseCreationDate)],
    [t`Last Updated`, formatAgencyDate(result.caseLastUpdated)],
  ];
  return (
    <dl className="case-facts">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value || t`Not provided`}</dd>
        </div>
      ))}
    </dl>
  );
}

function formTitleShown({
  applicationOrPetitionType,
  applicationOrPetitionTypeEs,
}: CaseStatusResult): string {
  return (languageShown() === 'es' && applicationOrPetitionTypeEs) || applicationOrPetitionType;
}

const named = (kind: string, value: string, error: string) =>
  serverText({ error, messageKey: `${kind}-${value}` });

/** The phases of a case are words of a vocabulary, in lower case. */
function capitalised(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
