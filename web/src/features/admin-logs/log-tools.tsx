import { type LogFilterTexts, logExportHref } from '../../api/admin-logs.ts';
import { Icon } from '../../components/icon.tsx';

interface LogToolsProps {
  filters: LogFilterTexts;
  isLive: boolean;
  isRefreshing: boolean;
  onLive: (on: boolean) => void;
  onRefresh: () => void;
}

/** What can be done with the log as a whole, and the switch of the live tail. */
export function LogTools({ filters, isLive, isRefreshing, onLive, onRefresh }: LogToolsProps) {
  return (
    <div className="log-tools">
      <label className="switch">
        <input
          type="checkbox"
          role="switch"
          checked={isLive}
          aria-checked={isLive}
          onChange={(event) => onLive(event.target.checked)}
        />
        <span>Live tail</span>
      </label>
      <div className="log-tools-actions">
        <button
          type="button"
          className="btn btn-sm btn-outline-secondary"
          disabled={isRefreshing}
          onClick={onRefresh}
        >
          <Icon name="refresh" size={16} />
          Refresh
        </button>
        <a className="btn btn-sm btn-outline-secondary" href={logExportHref('csv', filters)} download>
          Export CSV
        </a>
        <a className="btn btn-sm btn-outline-secondary" href={logExportHref('ndjson', filters)} download>
          Export NDJSON
        </a>
      </div>
    </div>
  );
}
