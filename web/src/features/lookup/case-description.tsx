import type { CaseStatusResult } from '@casewatch/contracts/cases';
import { Fragment } from 'react';
import { linkedText } from '../../lib/linked-text.ts';

/** The agency's words about a case, as text: markup in them stays text, and only https links are links. */
export function CaseDescription({ result }: { result: CaseStatusResult }) {
  let at = 0;
  return (
    <p className="case-description">
      {linkedText(result.caseDescription, result.descriptionLinks).map(({ text, href }) => {
        const key = at;
        at += text.length;
        if (href === undefined) return <Fragment key={key}>{text}</Fragment>;
        return (
          <a key={key} href={href} target="_blank" rel="noopener noreferrer">
            {text}
          </a>
        );
      })}
    </p>
  );
}
