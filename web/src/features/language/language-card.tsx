import { LANGUAGES, type Language } from '@casewatch/contracts/languages';
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useId } from 'react';
import { failureText } from '../../api/api-error.ts';
import { useChangeProfile } from '../../api/profile.ts';
import { useToast } from '../../components/toast/toast-provider.tsx';
import { languageShown } from '../../lib/format-number.ts';
import { LANGUAGE_NAMES, useLanguageChoice } from './language-button.tsx';

/** Renders the language of the app; the account keeps it. */
export function LanguageCard() {
  const id = useId();
  const show = useLanguageChoice();
  const toast = useToast();
  const { mutateAsync } = useChangeProfile();
  const choose = async (language: Language) => {
    if (!(await show(language))) return;
    try {
      await mutateAsync({ language });
    } catch (error) {
      const description = failureText(error, t`Your choice could not be saved.`);
      toast({ title: t`Error`, description, variant: 'destructive', error });
    }
  };
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
