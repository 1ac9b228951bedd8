import './admin-audit.scss';
import type { AuditEntry } from '@casewatch/contracts/admin-log';
import { useMemo } from 'react';
import { useSearchParams } from 'react-router-dom';
import { type AuditFilterTexts, auditExportHref, useAudit } from '../../../api/admin-logs.ts';
import { isAdminEnded } from '../../../api/admin-session.ts';
import { ErrorReference } from '../../../components/error-reference.tsx';
import { FormField } from '../../../components/form-field.tsx';
import { Icon } from '../../../components/icon.tsx';
import { LoadFailure } from '../../../components/load-failure.tsx';
import { SelectField } from '../../../components/select-field.tsx';
import { Spinner } from '../../../components/spinner.tsx';
import { TimeZoneNote } from '../shared/admin-words.tsx';
import { FiltersForm } from '../shared/filters-form.tsx';
import { readAuditFilters, withAuditFilters } from './audit-filters.ts';
import { AuditTable } from './audit-table.tsx';

/** Renders what administrators did, or tried to do. */
export function AuditTab() {
  const [params, setParams] = useSearchParams();
  const filters = useMemo(() => readAuditFilters(params), [params]);
  const audit = useAudit(filters);
  const { data, error, isFetching, isFetchingNextPage, isFetchNextPageError, hasNextPage } = audit;
  const entries: AuditEntry[] | undefined = data?.pages.flatMap((page) => page.entries);
  return (
    <>
      <div className="audit-head">
        <h2>Audit trail</h2>
        <a className="btn btn-sm btn-outline-secondary" href={auditExportHref(filters)} download>
          <Icon name="file" size={16} />
          Export CSV
        </a>
      </div>
      <AuditFiltersForm filters={filters} onApply={(next) => setParams(withAuditFilters(params, next))} />
      {entries === undefined ? (
        isFetching ? (
          <Spinner />
        ) : (
          <LoadFailure className="card admin-message" error={error} onRetry={() => void audit.refetch()}>
            <p>The audit trail could not be loaded.</p>
          </LoadFailure>
        )
      ) : (
        <>
          <AuditTable entries={entries} />
          <TimeZoneNote />
        </>
      )}
      {isFetchNextPageError && !isAdminEnded(error) && (
        <div role="alert">
          <p className="field-error">Older entries could not be loaded. Please try again.</p>
          <ErrorReference error={error} />
        </div>
      )}
      {hasNextPage && (
        <button
          type="button"
          className="btn btn-outline-secondary load-more"
          disabled={isFetchingNextPage}
          onClick={() => void audit.fetchNextPage()}
        >
          {isFetchingNextPage ? 'Loading...' : 'Load older entries'}
        </button>
      )}
    </>
  );
}

interface AuditFiltersFormProps {
  filters: AuditFilterTexts;
  onApply: (filters: AuditFilterTexts) => void;
}

function AuditFiltersForm({ filters, onApply }: AuditFiltersFormProps) {
  return (
    <FiltersForm filters={filters} read={readAuditFilters} onApply={onApply}>
      <FormField
        label="Action"
        name="action"
        defaultValue={filters.action}
        maxLength={60}
        autoComplete="off"
      />
      <FormField
        label="Subject starts with"
        name="subject"
        defaultValue={filters.subject}
        maxLength={100}
        autoComplete="off"
      />
      <FormField
        label="Administrator starts with"
        name="actor"
        defaultValue={filters.actor}
        maxLength={100}
        autoComplete="off"
      />
      <SelectField
        label="Outcome"
        name="success"
        defaultValue={filters.success ?? 'any'}
        options={[
          ['any', 'Any'],
          ['true', 'Success'],
          ['false', 'Failed'],
        ]}
      />
    </FiltersForm>
  );
}
