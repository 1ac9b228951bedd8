import type { LogFilterTexts } from '../../../api/admin-logs.ts';
import { FormField } from '../../../components/form-field.tsx';
import { SelectField } from '../../../components/select-field.tsx';
import { useSeesPersonalData } from '../shared/admin-context.ts';
import { FiltersForm } from '../shared/filters-form.tsx';
import { readFilters } from './log-filters.ts';

const ANY = 'any';

interface LogFiltersFormProps {
  filters: LogFilterTexts;
  onApply: (filters: LogFilterTexts) => void;
}

/** Renders the filters as fields, for those who do not type a search; both apply together. */
export function LogFiltersForm({ filters, onApply }: LogFiltersFormProps) {
  const seesPersonalData = useSeesPersonalData();
  return (
    <FiltersForm filters={filters} read={readFilters} onApply={onApply} startsClosed>
      {seesPersonalData && (
        <>
          <FormField
            label="Receipt number"
            name="receiptNumber"
            defaultValue={filters.receiptNumber}
            maxLength={20}
            autoComplete="off"
          />
          <FormField
            label="User name, email or ID"
            name="user"
            defaultValue={filters.user}
            maxLength={100}
            autoComplete="off"
          />
        </>
      )}
      <SelectField
        label="Source"
        name="source"
        defaultValue={filters.source ?? ANY}
        options={[
          [ANY, 'Any'],
          ['user', 'Website'],
          ['monitor', 'Backend Service'],
        ]}
      />
      <SelectField
        label="Result"
        name="success"
        defaultValue={filters.success ?? ANY}
        options={[
          [ANY, 'Any'],
          ['true', 'Success'],
          ['false', 'Failed'],
        ]}
      />
      <FormField
        label="Status code"
        name="statusCode"
        type="number"
        min={100}
        max={599}
        defaultValue={filters.statusCode}
      />
    </FiltersForm>
  );
}
