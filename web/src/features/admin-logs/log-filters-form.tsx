import { Fragment } from 'react';
import type { LogFilterTexts } from '../../api/admin-logs.ts';
import { FiltersCard } from '../../components/filters-card.tsx';
import { FormField } from '../../components/form-field.tsx';
import { SelectField } from '../../components/select-field.tsx';
import { fromLocalField, toLocalField } from '../../lib/local-moment.ts';
import { useIsMobile } from '../layout/use-is-mobile.ts';
import { readFilters } from './log-filters.ts';

const ANY = 'any';

interface LogFiltersFormProps {
  /** Those that apply now. */
  filters: LogFilterTexts;
  onApply: (filters: LogFilterTexts) => void;
}

/** Chooses which calls are shown; nothing changes before it is sent. */
export function LogFiltersForm({ filters, onApply }: LogFiltersFormProps) {
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
          label="Receipt number"
          name="receiptNumber"
          defaultValue={filters.receiptNumber}
          maxLength={20}
          autoComplete="off"
        />
        <FormField
          label="User name or ID"
          name="user"
          defaultValue={filters.user}
          maxLength={100}
          autoComplete="off"
        />
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
        <FormField label="From" name="from" type="datetime-local" defaultValue={toLocalField(filters.from)} />
        <FormField label="To" name="to" type="datetime-local" defaultValue={toLocalField(filters.to)} />
      </Fragment>
    </FiltersCard>
  );
}

function filtersOf(form: FormData): LogFilterTexts {
  const texts = new URLSearchParams();
  for (const [name, value] of form) if (typeof value === 'string') texts.set(name, value);
  for (const end of ['from', 'to']) texts.set(end, fromLocalField(texts.get(end) ?? '') ?? '');
  return readFilters(texts);
}
