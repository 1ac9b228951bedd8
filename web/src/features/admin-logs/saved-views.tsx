import { type FormEvent, useRef, useState } from 'react';
import { Link, useSearchParams } from 'react-router-dom';
import { FormField } from '../../components/form-field.tsx';
import { Icon } from '../../components/icon.tsx';
import { searchHref } from './log-filters.ts';

interface SavedView {
  readonly name: string;
  /** The query of the address, without `?`. */
  readonly query: string;
}

const KEY = 'admin-log-views';
const MOST = 50;
/** The questions that every operator has. */
const STANDARD: readonly { name: string; q: string }[] = [
  { name: 'All failures', q: 'success:false' },
  { name: "The agency's faults", q: 'cause:agency' },
  { name: 'Our faults', q: 'cause:us' },
  { name: 'Slower than 2 seconds', q: 'ms:>2000' },
];

/** Named addresses of the log: the standard ones, and those that this browser keeps. */
export function SavedViews() {
  const [params] = useSearchParams();
  const [views, setViews] = useState(readViews);
  const name = useRef<HTMLInputElement>(null);
  const query = viewQuery(params);

  const keep = (next: readonly SavedView[]) => {
    setViews(next);
    try {
      localStorage.setItem(KEY, JSON.stringify(next));
    } catch {
      // A browser that keeps nothing shows them until it is reloaded.
    }
  };
  const save = (event: FormEvent) => {
    event.preventDefault();
    const given = name.current?.value.trim() ?? '';
    if (given === '') return name.current?.focus();
    keep([...views.filter((view) => view.name !== given), { name: given, query }].slice(-MOST));
    if (name.current) name.current.value = '';
  };
  const remove = (gone: SavedView) => {
    keep(views.filter((view) => view !== gone));
    name.current?.focus();
  };

  return (
    <>
      <ul aria-label="Standard views">
        {STANDARD.map((view) => (
          <li key={view.name}>
            <Link to={searchHref(view.q)}>{view.name}</Link>
          </li>
        ))}
      </ul>
      <ul aria-label="Your views">
        {views.map((view) => (
          <li key={view.name}>
            <Link to={`?${view.query}`}>{view.name}</Link>
            <button
              type="button"
              className="icon-button"
              aria-label={`Delete the view ${view.name}`}
              onClick={() => remove(view)}
            >
              <Icon name="trash" size={16} />
            </button>
          </li>
        ))}
      </ul>
      <form onSubmit={save} noValidate>
        <FormField ref={name} label="Save what is shown as" name="view" maxLength={60} autoComplete="off" />
        <button type="submit" className="btn btn-outline-secondary">
          Save view
        </button>
      </form>
      <p>Views are kept in this browser. The address of a view can be shared.</p>
    </>
  );
}

/** A view begins at its first page, with no row open. */
function viewQuery(params: URLSearchParams): string {
  const query = new URLSearchParams(params);
  query.delete('page');
  query.delete('row');
  return query.toString();
}

function readViews(): readonly SavedView[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? 'null');
    return Array.isArray(kept) ? kept.filter(isView) : [];
  } catch {
    return [];
  }
}

function isView(value: unknown): value is SavedView {
  return (
    typeof value === 'object' &&
    value !== null &&
    'name' in value &&
    typeof value.name === 'string' &&
    'query' in value &&
    typeof value.query === 'string'
  );
}
