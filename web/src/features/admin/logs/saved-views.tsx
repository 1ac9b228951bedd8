import { LOG_VIEW_NAME_MAX } from '@casewatch/contracts/limits';
import { type FormEvent, type RefObject, useContext, useRef } from 'react';
import { Link, useSearchParams } from 'react-router-dom';
import { useLogViews, useRemoveLogView, useSaveLogViews } from '../../../api/admin-logs.ts';
import { hasCode } from '../../../api/api-error.ts';
import { Button } from '../../../components/button.tsx';
import { FormField } from '../../../components/form-field.tsx';
import { Icon } from '../../../components/icon.tsx';
import { useFailureToast, useToast } from '../../../components/toast/toast-provider.tsx';
import { AdminContext } from '../shared/admin-context.ts';
import { type NamedView, renamedFor, useBrowserViews } from './browser-views.ts';
import { searchHref } from './log-filters.ts';

/** The questions that every operator has. */
const STANDARD: readonly { name: string; q: string }[] = [
  { name: 'All failures', q: 'success:false' },
  { name: 'Agency errors', q: 'cause:agency' },
  { name: 'Our errors', q: 'cause:us' },
  { name: 'Slower than 2 seconds', q: 'ms:>2000' },
];

/** Renders named addresses of the log: the standard ones, and those of the administrator; those of the passcode are the browser's. */
export function SavedViews() {
  const isNamed = useContext(AdminContext)?.name !== 'passcode';
  return (
    <>
      <ul aria-label="Standard views">
        {STANDARD.map((view) => (
          <li key={view.name}>
            <Link to={searchHref(view.q)}>{view.name}</Link>
          </li>
        ))}
      </ul>
      {isNamed ? <AccountViews /> : <BrowserViews />}
    </>
  );
}

function BrowserViews() {
  const { views, save, remove } = useBrowserViews();
  const field = useRef<HTMLInputElement>(null);
  return (
    <>
      <ViewList label="Your views" views={views} field={field} onRemove={(view) => remove([view])} />
      <ViewForm
        field={field}
        onSave={async (view) => {
          save(view);
          return true;
        }}
      />
      <p>Views are kept in this browser. The address of a view can be shared.</p>
    </>
  );
}

function AccountViews() {
  const { data: views, isError } = useLogViews();
  const save = useSaveLogViews();
  const removal = useRemoveLogView();
  const browser = useBrowserViews();
  const field = useRef<HTMLInputElement>(null);
  const toast = useToast();
  const fail = useFailureToast();

  const saveAll = async (wanted: readonly NamedView[]) => {
    try {
      await save.mutateAsync(wanted);
      return true;
    } catch (error) {
      fail(error, 'Nothing was saved. Please try again.', 'Couldn’t save the views');
      return false;
    }
  };
  const remove = async (id: string) => {
    try {
      await removal.mutateAsync(id);
    } catch (error) {
      // Another window was faster.
      if (hasCode(error, 'NOT_FOUND')) return;
      fail(error, 'The view was not deleted. Please try again.', 'Couldn’t delete the view');
    }
  };
  const moveAll = async (account: readonly NamedView[]) => {
    const moved = browser.views;
    if (!(await saveAll(renamedFor(account, moved)))) return;
    browser.remove(moved);
    field.current?.focus();
    toast({ title: 'Views moved to your account' });
  };

  return (
    <>
      {isError && <p role="alert">Your views can’t be shown right now. Reload the page to try again.</p>}
      <ViewList label="Your views" views={views ?? []} field={field} onRemove={({ id }) => void remove(id)} />
      {browser.views.length > 0 && (
        <>
          <p>Kept in this browser only:</p>
          <ViewList
            label="Views in this browser"
            views={browser.views}
            field={field}
            onRemove={(view) => browser.remove([view])}
          />
          <Button
            look="secondary"
            disabled={views === undefined || save.isPending}
            onClick={() => views && void moveAll(views)}
          >
            Move to your account
          </Button>
        </>
      )}
      <ViewForm field={field} onSave={(view) => saveAll([view])} />
      <p>Views are kept in your account. The address of a view can be shared.</p>
    </>
  );
}

function ViewList<View extends NamedView>(props: {
  label: string;
  views: readonly View[];
  /** Gets the focus when a view goes with its button. */
  field: RefObject<HTMLInputElement | null>;
  onRemove: (view: View) => void;
}) {
  const { label, views, field, onRemove } = props;
  return (
    <ul aria-label={label}>
      {views.map((view) => (
        <li key={view.name}>
          <Link to={`?${view.query}`}>{view.name}</Link>
          <button
            type="button"
            className="icon-button"
            aria-label={`Delete the view ${view.name}`}
            onClick={() => {
              onRemove(view);
              field.current?.focus();
            }}
          >
            <Icon name="trash" size={16} />
          </button>
        </li>
      ))}
    </ul>
  );
}

interface ViewFormProps {
  field: RefObject<HTMLInputElement | null>;
  /** Whether it was saved. */
  onSave: (view: NamedView) => Promise<boolean>;
}

function ViewForm({ field, onSave }: ViewFormProps) {
  const [params] = useSearchParams();
  const save = async (event: FormEvent) => {
    event.preventDefault();
    const name = field.current?.value.trim() ?? '';
    if (name === '') return field.current?.focus();
    const isSaved = await onSave({ name, query: viewQuery(params) });
    if (isSaved && field.current?.value.trim() === name) field.current.value = '';
  };
  return (
    <form onSubmit={(event) => void save(event)} noValidate>
      <FormField
        ref={field}
        label="Save this view as"
        name="view"
        maxLength={LOG_VIEW_NAME_MAX}
        autoComplete="off"
      />
      <button type="submit" className="btn btn-outline-secondary">
        Save view
      </button>
    </form>
  );
}

/** A view begins at its first page, with no row open. */
function viewQuery(params: URLSearchParams): string {
  const query = new URLSearchParams(params);
  query.delete('page');
  query.delete('row');
  return query.toString();
}
