import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button } from '../../components/button.tsx';
import './bulk-summary.scss';
import type { BulkResultItem } from '@casewatch/contracts/cases';
import { isSavedIn, type useSavedCasesOf } from '../../api/saved-cases.ts';
import { Icon } from '../../components/icon.tsx';
import { shownStatus } from '../../components/status-badge.tsx';
import { useToast } from '../../components/toast/toast-provider.tsx';
import { writeCsv } from '../../lib/csv.ts';
import { formatAgencyDate } from '../../lib/format-agency-date.ts';
import { saveFile } from '../../lib/save-file.ts';
import { failureText } from './lookup-failure.ts';
import { type BulkOrder, bulkOrder } from './sort-bulk-items.ts';
import { useSaveAll } from './use-save-all.ts';

const head = () => [t`Receipt Number`, t`Status`, t`Form`, t`Last Updated`];

interface BulkSummaryProps {
  items: readonly BulkResultItem[];
  saved: ReturnType<typeof useSavedCasesOf>;
  order: BulkOrder;
  isRetrying: boolean;
  onSort: (order: BulkOrder) => void;
  onRetry: () => void;
  onProNeeded: (feature: string) => void;
}

/** Renders, in one row, how many results a bulk search has, their order, and what can be done with all of them. Its buttons keep the focus. */
export function BulkSummary({
  items,
  saved,
  order,
  isRetrying,
  onSort,
  onRetry,
  onProNeeded,
}: BulkSummaryProps) {
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
    } catch (error) {
      const description = t`The results could not be copied. Export them instead.`;
      return toast({ title: t`Error`, description, variant: 'destructive', error });
    }
    toast({ title: t`Results copied`, description: t`Paste them into a message or a spreadsheet.` });
  };

  return (
    <section className="card bulk-summary" aria-labelledby="bulk-summary">
      <h2 id="bulk-summary">
        {failed > 0
          ? t`${items.length} results, ${failed} without a status`
          : plural(items.length, { one: '# results', other: '# results' })}
      </h2>
      <div className="bulk-summary-actions">
        <select
          className="form-select form-select-sm"
          aria-label={t`Sort by`}
          value={order}
          onChange={({ target }) => onSort(bulkOrder(target.value))}
        >
          <option value="asked">{t`As entered`}</option>
          <option value="action">{t`Needs action first`}</option>
          <option value="updated">{t`Last updated first`}</option>
        </select>
        {failed < items.length && (
          <button
            type="button"
            className="btn btn-outline-primary btn-sm"
            aria-disabled={isSaving || unsaved.length === 0}
            onClick={() => !isSaving && void saveAll(unsaved)}
          >
            <Icon name={isAllSaved ? 'check' : 'bookmark'} size={16} />
            {isSaving ? t`Saving...` : isAllSaved ? t`All saved` : t`Save all (${unsaved.length})`}
          </button>
        )}
        {failed > 0 && (
          <Button aria-disabled={isRetrying} onClick={() => !isRetrying && onRetry()}>
            <Icon name="refresh" size={16} />
            {isRetrying ? t`Retrying...` : t`Retry failed (${failed})`}
          </Button>
        )}
        <Button onClick={() => void copy()}>
          <Trans>Copy</Trans>
        </Button>
        <Button onClick={() => exportItems(items)}>
          <Trans>Export CSV</Trans>
        </Button>
      </div>
    </section>
  );
}

function exportItems(items: readonly BulkResultItem[]): void {
  const text = writeCsv([head(), ...items.map(cellsOf)]);
  saveFile(new Blob([text], { type: 'text/csv' }), 'case-statuses.csv');
}

/** The same in words, for the clipboard and for a file. */
function cellsOf(item: BulkResultItem): string[] {
  const { success, receiptNumber, data } = item;
  if (!success || !data) return [receiptNumber, failureText(item), '', ''];
  return [
    receiptNumber,
    shownStatus({ status: data.caseStatus, statusEs: data.statusEs }).text,
    data.formType,
    formatAgencyDate(data.caseLastUpdated),
  ];
}
