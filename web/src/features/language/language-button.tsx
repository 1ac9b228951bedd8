import { languageShown } from '../../lib/format-number.ts';
import { LANGUAGE_NAMES, useLanguageChoice } from './use-language-choice.ts';

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
