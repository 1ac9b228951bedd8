import { type FormEvent, type ReactNode, useRef, useState } from 'react';

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
export function FiltersCard({ applied, startsOpen, onSubmit, onClear, children }: FiltersCardProps) {
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
            <button type="button" className="btn btn-outline-secondary" onClick={clear}>
              Clear filters
            </button>
          )}
        </div>
      </form>
    </details>
  );
}
