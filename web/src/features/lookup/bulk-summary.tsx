import './bulk-summary.scss';
import type { BulkResultItem } from '@casewatch/contracts/cases';
import { needsAction } from '@casewatch/contracts/needs-action';
import { Link } from 'react-router-dom';
import { isSavedIn, type useSavedCasesOf } from '../../api/saved-cases.ts';
import { Icon } from '../../components/icon.tsx';
import { NeedsAction } from '../../components/needs-action.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { useToast } from '../../components/toast/toast-provider.tsx';
import { downloadCsv } from '../../lib/csv.ts';
import { formatAgencyDate } from '../../lib/format-agency-date.ts';
import { useSaveAll } from './use-save-all.ts';

const HEAD = ['Receipt Number', 'Status', 'Form', 'Last Updated'] as const;
const FAILED = 'Failed to fetch case status';

interface BulkSummaryProps {
  items: readonly BulkResultItem[];
  saved: ReturnType<typeof useSavedCasesOf>;
  isRetrying: boolean;
  onRetry: () => void;
  onProNeeded: (feature: string) => void;
}

/** The results of a bulk search as one table, with what can be done with all of them. Its buttons keep the focus. */
export function BulkSummary({ items, saved, isRetrying, onRetry, onProNeeded }: BulkSummaryProps) {
  const toast = useToast();
  const { saveAll, isSaving } = useSaveAll(onProNeeded);
  const failed = items.filter(({ success }) => !success).length;
  const unsaved = items.flatMap(({ success, receiptNumber }) =>
    success && isSavedIn(saved, receiptNumber) === false ? [receiptNumber] : [],
  );
  const isAllSaved = !saved.isPending && unsaved.length === 0;
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(items.map((item) => cellsOf(item).join('\t')).join('\n'));
    } catch {
      const description = 'The results could not be copied. Export them instead.';
      return toast({ title: 'Error', description, variant: 'destructive' });
    }
    toast({ title: 'Results copied', description: 'Paste them into a message or a spreadsheet.' });
  };

  return (
    <section className="card bulk-summary" aria-labelledby="bulk-summary">
      <h2 id="bulk-summary">
        {items.length} results{failed > 0 && `, ${failed} without a status`}
      </h2>
      <div className="bulk-summary-actions">
        {failed < items.length && (
          <button
            type="button"
            className="btn btn-outline-primary btn-sm"
            aria-disabled={isSaving || unsaved.length === 0}
            onClick={() => !isSaving && void saveAll(unsaved)}
          >
            <Icon name={isAllSaved ? 'check' : 'bookmark'} size={16} />
            {isSaving ? 'Saving...' : isAllSaved ? 'All saved' : `Save all (${unsaved.length})`}
          </button>
        )}
        {failed > 0 && (
          <button
            type="button"
            className="btn btn-outline-secondary btn-sm"
            aria-disabled={isRetrying}
            onClick={() => !isRetrying && onRetry()}
          >
            <Icon name="refresh" size={16} />
            {isRetrying ? 'Retrying...' : `Retry failed (${failed})`}
          </button>
        )}
        <button type="button" className="btn btn-outline-secondary btn-sm" onClick={() => void copy()}>
          Copy
        </button>
        <button
          type="button"
          className="btn btn-outline-secondary btn-sm"
          onClick={() => downloadCsv('case-statuses.csv', [HEAD, ...items.map(cellsOf)])}
        >
          Export CSV
        </button>
      </div>
      <table>
        <caption className="visually-hidden">Results</caption>
        <thead>
          <tr>
            {HEAD.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {items.map((item) => (
            <SummaryRow key={item.receiptNumber} item={item} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

function SummaryRow({ item: { success, receiptNumber, data, error } }: { item: BulkResultItem }) {
  const number =
    success && data ? <Link to={`/cases/${receiptNumber}`}>{receiptNumber}</Link> : receiptNumber;
  return (
    <tr>
      <th scope="row" className="receipt-number">
        {number}
      </th>
      <td>
        {success && data ? (
          <span className="status-marks">
            <StatusBadge status={data.caseStatus} />
            {needsAction(data.caseStatus) && <NeedsAction />}
          </span>
        ) : (
          <span className="bulk-summary-error">{error || FAILED}</span>
        )}
      </td>
      <td>{data?.formType}</td>
      <td>{data && formatAgencyDate(data.caseLastUpdated)}</td>
    </tr>
  );
}

/** The same in words, for the clipboard and for a file. */
function cellsOf({ success, receiptNumber, data, error }: BulkResultItem): string[] {
  if (!success || !data) return [receiptNumber, error || FAILED, '', ''];
  return [receiptNumber, data.caseStatus, data.formType, formatAgencyDate(data.caseLastUpdated)];
}
