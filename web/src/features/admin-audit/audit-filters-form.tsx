import { Fragment } from 'react';
import type { AuditFilterTexts } from '../../api/admin-logs.ts';
import { FiltersCard } from '../../components/filters-card.tsx';
import { FormField } from '../../components/form-field.tsx';
import { SelectField } from '../../components/select-field.tsx';
import { fromLocalField, toLocalField } from '../../lib/local-moment.ts';
import { useIsMobile } from '../layout/use-is-mobile.ts';
import { readAuditFilters } from './audit-filters.ts';

interface AuditFiltersFormProps {
  filters: AuditFilterTexts;
  onApply: (filters: AuditFilterTexts) => void;
}

export function AuditFiltersForm({ filters, onApply }: AuditFiltersFormProps) {
  const applied = Object.keys(filters).length;
  const isMobile = useIsMobile();
  return (
    <FiltersCard
      applied={applied}
      startsOpen={applied > 0 || !isMobile}
      onSubmit={(form) => onApply(filtersOf(form))}
      onClear={() => onApply({})}
    >
      {/* Other filters, other fields: they show what applies now. */}
      <Fragment key={JSON.stringify(filters)}>
        <FormField
          label="Action begins with"
          name="action"
          defaultValue={filters.action}
          maxLength={60}
          autoComplete="off"
        />
        <FormField
          label="Subject begins with"
          name="subject"
          defaultValue={filters.subject}
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
        <FormField label="From" name="from" type="datetime-local" defaultValue={toLocalField(filters.from)} />
        <FormField label="To" name="to" type="datetime-local" defaultValue={toLocalField(filters.to)} />
      </Fragment>
    </FiltersCard>
  );
}

function filtersOf(form: FormData): AuditFilterTexts {
  const texts = new URLSearchParams();
  for (const [name, value] of form) if (typeof value === 'string') texts.set(name, value);
  for (const end of ['from', 'to']) texts.set(end, fromLocalField(texts.get(end) ?? '') ?? '');
  return readAuditFilters(texts);
}
