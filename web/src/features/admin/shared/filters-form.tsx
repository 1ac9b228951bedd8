import { type FormEvent, Fragment, type ReactNode, useRef, useState } from 'react';
import { Button } from '../../../components/button.tsx';
import { FormField } from '../../../components/form-field.tsx';
import { useIsMobile } from '../../layout/use-sidebar.ts';

interface FiltersFormProps<Texts> {
  /** Those that apply now. */
  filters: Texts;
  /** Makes filters of the fields' texts; what makes no sense is left out. */
  read: (texts: URLSearchParams) => Texts;
  onApply: (filters: Texts) => void;
  /** Closed until it is needed, where there is another way to filter. */
  startsClosed?: boolean;
  /** The fields but for the time, each with the name of its filter. */
  children: ReactNode;
}

/** Chooses which entries of a log are shown; nothing changes before it is sent. */
export function FiltersForm<Texts extends { from?: string; to?: string }>({
  filters,
  read,
  onApply,
  startsClosed = false,
  children,
}: FiltersFormProps<Texts>) {
  const applied = Object.keys(filters).length;
  const isMobile = useIsMobile();
  return (
    <FiltersCard
      applied={applied}
      startsOpen={applied > 0 || !(isMobile || startsClosed)}
      onSubmit={(form) => onApply(read(textsOf(form)))}
      onClear={() => onApply(read(new URLSearchParams()))}
    >
      {/* Other filters, other fields: they show what applies now. */}
      <Fragment key={JSON.stringify(filters)}>
        {children}
        <FormField label="From" name="from" type="datetime-local" defaultValue={toLocalField(filters.from)} />
        <FormField label="To" name="to" type="datetime-local" defaultValue={toLocalField(filters.to)} />
      </Fragment>
    </FiltersCard>
  );
}

function textsOf(form: FormData): URLSearchParams {
  const texts = new URLSearchParams();
  for (const [name, value] of form) if (typeof value === 'string') texts.set(name, value);
  for (const end of ['from', 'to']) texts.set(end, fromLocalField(texts.get(end) ?? '') ?? '');
  return texts;
}

interface FiltersCardProps {
  /** How many filters apply now. */
  applied: number;
  /** Whether the fields are shown at first. */
  startsOpen: boolean;
  onSubmit: (form: FormData) => void;
  onClear: () => void;
  children: ReactNode;
}

/** Renders the fields that choose what a list shows; nothing changes before they are sent. */
function FiltersCard({ applied, startsOpen, onSubmit, onClear, children }: FiltersCardProps) {
  const [isOpen] = useState(startsOpen);
  const summary = useRef<HTMLElement>(null);
  // The button goes with the filters.
  const clear = () => {
    onClear();
    summary.current?.focus();
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    onSubmit(new FormData(event.currentTarget));
  };
  return (
    <details className="card filters" open={isOpen}>
      <summary ref={summary}>{applied === 0 ? 'Filters' : `Filters (${applied} applied)`}</summary>
      <form aria-label="Filters" onSubmit={submit}>
        {children}
        <div className="filters-actions">
          <button type="submit" className="btn btn-primary">
            Apply filters
          </button>
          {applied > 0 && (
            <Button look="secondary" onClick={clear}>
              Clear filters
            </Button>
          )}
        </div>
      </form>
    </details>
  );
}

const MINUTE_MS = 60_000;
const FIELD = /^\d{4}-\d\d-\d\dT\d\d:\d\d/;

/** Returns a moment (ISO 8601) as a `datetime-local` field shows it, in the reader's time zone; empty for anything else. */
export function toLocalField(moment: string | undefined): string {
  const date = new Date(FIELD.test(moment ?? '') ? (moment ?? '') : Number.NaN);
  if (Number.isNaN(date.getTime())) return '';
  // Written as UTC, the shifted moment has the digits of the reader's clock.
  return new Date(date.getTime() - date.getTimezoneOffset() * MINUTE_MS).toISOString().slice(0, 16);
}

/** Returns what a `datetime-local` field holds, as a moment in UTC (ISO 8601); undefined when it holds none. */
export function fromLocalField(text: string): string | undefined {
  // Without a time zone it is the reader's.
  const date = new Date(FIELD.test(text) ? text.slice(0, 16) : Number.NaN);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}
