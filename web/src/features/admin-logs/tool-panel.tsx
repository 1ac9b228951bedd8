import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react';

/** A button that unfolds a panel beneath it. What is in it is not in the page before; Escape folds it up again. */
export function ToolPanel({ label, children }: { label: string; children: ReactNode }) {
  const [isOpen, setOpen] = useState(false);
  const details = useRef<HTMLDetailsElement>(null);
  const fold = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !details.current?.open) return;
    details.current.open = false;
    details.current.querySelector('summary')?.focus();
  };
  return (
    <details
      className="log-views"
      ref={details}
      onToggle={(event) => setOpen(event.currentTarget.open)}
      onKeyDown={fold}
    >
      <summary>{label}</summary>
      {isOpen && <div className="log-views-body">{children}</div>}
    </details>
  );
}
