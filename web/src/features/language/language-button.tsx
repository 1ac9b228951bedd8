import type { Language } from '@casewatch/contracts/languages';
import { t } from '@lingui/core/macro';
import { useErrorToast } from '../../components/toast/toast-provider.tsx';
import { rememberLanguage, sendLanguageToOtherTabs, showLanguage } from '../../i18n/language.ts';
import { languageShown } from '../../lib/format-number.ts';

/** Switches to the other language, whose name it says in that language. */
export function LanguageButton() {
  const choose = useLanguageChoice();
  const other = languageShown() === 'en' ? 'es' : 'en';
  return (
    <button
      type="button"
      className="btn btn-link btn-sm"
      lang={other}
      onClick={() => void choose(other)}
      data-testid="language-button"
    >
      {LANGUAGE_NAMES[other]}
    </button>
  );
}

/** Each language by its own name. */
export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = { en: 'English', es: 'Español' };

/** Gives a function that shows the app in a language and keeps the choice on this device; resolves to whether it could. */
export function useLanguageChoice(): (language: Language) => Promise<boolean> {
  const report = useErrorToast();
  return async (language) => {
    try {
      await showLanguage(language);
    } catch (error) {
      report(error, t`The language could not be loaded. Check your connection and try again.`);
      return false;
    }
    rememberLanguage(language);
    sendLanguageToOtherTabs(language);
    return true;
  };
}
