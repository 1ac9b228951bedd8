import {
  LOG_SEARCH_HELP,
  LOG_SEARCH_MAX,
  LogSearchError,
  parseLogSearch,
} from '@casewatch/contracts/log-search';
import { type FormEvent, type RefObject, useEffect, useState } from 'react';
import { FormField } from '../../../components/form-field.tsx';
import { Icon } from '../../../components/icon.tsx';
import { useSeesPersonalData } from '../shared/admin-context.ts';
import { timeZoneName } from '../shared/admin-words.tsx';

interface LogSearchProps {
  q: string;
  /** What the server says is wrong with it. */
  refusal: string | undefined;
  field: RefObject<HTMLInputElement | null>;
  help: RefObject<HTMLDetailsElement | null>;
  onSearch: (q: string) => void;
}

/** Renders one field for every search, with its help; a search that can't be read says why and changes nothing. */
export function LogSearch({ q, refusal, field, help, onSearch }: LogSearchProps) {
  const [problem, setProblem] = useState<string>();
  const seesPersonalData = useSeesPersonalData();
  // Another address, another search: the field follows, and keeps the focus.
  useEffect(() => {
    if (field.current) field.current.value = q;
    setProblem(undefined);
  }, [q, field]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const text = field.current?.value.trim() ?? '';
    const wrong = problemOf(text);
    setProblem(wrong);
    if (wrong === undefined) onSearch(text);
    else field.current?.focus();
  };
  return (
    <search className="log-search">
      <form onSubmit={submit} noValidate>
        <FormField
          ref={field}
          label="Search the log"
          name="q"
          type="search"
          defaultValue={q}
          maxLength={LOG_SEARCH_MAX}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          placeholder={
            seesPersonalData ? 'receipt:WAC24* user:maria outcome:fault' : 'outcome:fault ms:>2000'
          }
          error={problem ?? refusal}
        />
        <button type="submit" className="btn btn-primary">
          <Icon name="search" size={16} />
          Search
        </button>
      </form>
      <details className="log-help" ref={help}>
        <summary>Search help and keyboard</summary>
        <div className="log-help-body">
          <dl className="log-help-keys">
            {Object.entries(LOG_SEARCH_HELP)
              .filter(([key]) => seesPersonalData || (key !== 'receipt' && key !== 'user'))
              .map(([key, { example, meaning }]) => (
                <div key={key}>
                  <dt>
                    <code>{example}</code>
                  </dt>
                  <dd>{meaning}</dd>
                </div>
              ))}
          </dl>
          <p>
            A minus sign before a key excludes matches, quotation marks keep words together, and commas
            separate alternatives. Times in a search are UTC unless they end with an offset, such as -05:00;
            the table shows {timeZoneName()}.
          </p>
          <p>
            <kbd>/</kbd> search, <kbd>j</kbd> and <kbd>k</kbd> next and previous row, <kbd>Enter</kbd> open
            the row, <kbd>Esc</kbd> close it, <kbd>?</kbd> this help.
          </p>
        </div>
      </details>
    </search>
  );
}

function problemOf(text: string): string | undefined {
  try {
    parseLogSearch(text);
    return undefined;
  } catch (error) {
    if (error instanceof LogSearchError) return error.message;
    throw error;
  }
}
