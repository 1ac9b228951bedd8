import type { AuditFilterTexts } from '../../../api/admin-logs.ts';
import { FormField } from '../../../components/form-field.tsx';
import { SelectField } from '../../../components/select-field.tsx';
import { FiltersForm } from '../shared/filters-form.tsx';
import { readAuditFilters } from './audit-filters.ts';

interface AuditFiltersFormProps {
  filters: AuditFilterTexts;
  onApply: (filters: AuditFilterTexts) => void;
}

export function AuditFiltersForm({ filters, onApply }: AuditFiltersFormProps) {
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
        label="Subject begins with"
        name="subject"
        defaultValue={filters.subject}
        maxLength={100}
        autoComplete="off"
      />
      <FormField
        label="Administrator begins with"
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
