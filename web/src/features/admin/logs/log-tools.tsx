import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react';
import { type LogFilterTexts, logExportHref } from '../../../api/admin-logs.ts';
import { Button } from '../../../components/button.tsx';
import { Icon } from '../../../components/icon.tsx';
import { useMay } from '../shared/admin-context.ts';
import { LOG_COLUMNS } from './log-columns.tsx';
import { SavedViews } from './saved-views.tsx';

interface LogToolsProps {
  filters: LogFilterTexts;
  isLive: boolean;
  isRefreshing: boolean;
  onLive: (on: boolean) => void;
  onRefresh: () => void;
  /** The keys of the columns that are shown. */
  shownColumns: readonly string[];
  onToggleColumn: (key: string) => void;
}

/** Renders what can be done with the log as a whole, and the switch of the live tail. */
export function LogTools(props: LogToolsProps) {
  const { filters, isLive, isRefreshing, onLive, onRefresh, shownColumns, onToggleColumn } = props;
  const mayExport = useMay()('logs.export');
  return (
    <div className="log-tools">
      <label className="switch">
        <input
          type="checkbox"
          className="choice-input"
          role="switch"
          checked={isLive}
          aria-checked={isLive}
          onChange={(event) => onLive(event.target.checked)}
        />
        <span>Live tail</span>
      </label>
      <div className="log-tools-actions">
        <ToolPanel label="Views">
          <SavedViews />
        </ToolPanel>
        <ToolPanel label="Columns">
          <fieldset>
            <legend className="visually-hidden">Columns of the log</legend>
            {LOG_COLUMNS.map(({ key, label }) => (
              <label key={key} className="log-column-choice">
                <input
                  type="checkbox"
                  className="choice-input"
                  checked={shownColumns.includes(key)}
                  onChange={() => onToggleColumn(key)}
                />
                {label}
              </label>
            ))}
          </fieldset>
        </ToolPanel>
        <Button
          // Not `disabled`: the focus would be lost, and go to the first row.
          aria-disabled={isRefreshing}
          onClick={() => !isRefreshing && onRefresh()}
        >
          <Icon name="refresh" size={16} />
          Refresh
        </Button>
        {mayExport && (
          <>
            <a className="btn btn-sm btn-outline-secondary" href={logExportHref('csv', filters)} download>
              Export CSV
            </a>
            <a className="btn btn-sm btn-outline-secondary" href={logExportHref('ndjson', filters)} download>
              Export NDJSON
            </a>
          </>
        )}
      </div>
    </div>
  );
}

/** A button that unfolds a panel beneath it. What is in it is not in the page before; Escape folds it up again. */
function ToolPanel({ label, children }: { label: string; children: ReactNode }) {
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
