import type { CaseStatusResult } from '@casewatch/contracts/cases';
import { Fragment } from 'react';
import { languageShown } from '../../lib/format-number.ts';
import { linkedText } from '../../lib/linked-text.ts';

/**
 * Renders the agency's words about a case, as text: markup in them stays text, and only https links are links. In Spanish where
 * the page is and the agency gives them, else marked as English.
 */
export function CaseDescription({ result }: { result: CaseStatusResult }) {
  const language = languageShown();
  const isSpanish = language === 'es' && Boolean(result.descriptionEs);
  const parts = isSpanish
    ? linkedText(result.descriptionEs ?? '', result.descriptionLinksEs ?? [])
    : linkedText(result.caseDescription, result.descriptionLinks);
  let at = 0;
  return (
    <p className="case-description" lang={language === 'es' && !isSpanish ? 'en' : undefined}>
      {parts.map(({ text, href }) => {
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
