import { LANGUAGES } from '@casewatch/contracts/languages';
import { Trans } from '@lingui/react/macro';
import { useId } from 'react';
import { languageShown } from '../../lib/format-number.ts';
import { LANGUAGE_NAMES, useLanguageChoice } from './use-language-choice.ts';

/** The language of the app; the account keeps it. */
export function LanguageCard() {
  const id = useId();
  const choose = useLanguageChoice();
  const choices = LANGUAGES.map((language) => [language, LANGUAGE_NAMES[language]] as const);
  return (
    <section className="card profile-card" aria-labelledby={id}>
      <h2 id={id}>
        <Trans>Language</Trans>
      </h2>
      <div className="profile-row">
        <div className="form-field">
          <label className="form-label" htmlFor={`${id}-choice`}>
            <Trans>Language of the app</Trans>
          </label>
          <select
            id={`${id}-choice`}
            className="form-select"
            value={languageShown()}
            onChange={({ currentTarget: { value } }) => {
              const wanted = LANGUAGES.find((language) => language === value);
              if (wanted) void choose(wanted);
            }}
          >
            {choices.map(([language, name]) => (
              <option key={language} value={language} lang={language}>
                {name}
              </option>
            ))}
          </select>
        </div>
      </div>
    </section>
  );
}
