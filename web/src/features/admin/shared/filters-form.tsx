import { Fragment, type ReactNode } from 'react';
import { FormField } from '../../../components/form-field.tsx';
import { fromLocalField, toLocalField } from '../../../lib/local-moment.ts';
import { useIsMobile } from '../../layout/use-is-mobile.ts';
import { FiltersCard } from './filters-card.tsx';

interface FiltersFormProps<Texts> {
  /** Those that apply now. */
  filters: Texts;
  /** Makes filters of the fields' texts; what makes no sense is left out. */
  read: (texts: URLSearchParams) => Texts;
  onApply: (filters: Texts) => void;
  /** Closed until it is needed, where there is another way to filter. */
  startsClosed?: boolean;
  /** The fields but for the time, each with the name of its filter. */
  children: ReactNode;
}

/** Chooses which entries of a log are shown; nothing changes before it is sent. */
export function FiltersForm<Texts extends { from?: string; to?: string }>({
  filters,
  read,
  onApply,
  startsClosed = false,
  children,
}: FiltersFormProps<Texts>) {
  const applied = Object.keys(filters).length;
  const isMobile = useIsMobile();
  return (
    <FiltersCard
      applied={applied}
      startsOpen={applied > 0 || !(isMobile || startsClosed)}
      onSubmit={(form) => onApply(read(textsOf(form)))}
      onClear={() => onApply(read(new URLSearchParams()))}
    >
      {/* Other filters, other fields: they show what applies now. */}
      <Fragment key={JSON.stringify(filters)}>
        {children}
        <FormField label="From" name="from" type="datetime-local" defaultValue={toLocalField(filters.from)} />
        <FormField label="To" name="to" type="datetime-local" defaultValue={toLocalField(filters.to)} />
      </Fragment>
    </FiltersCard>
  );
}

function textsOf(form: FormData): URLSearchParams {
  const texts = new URLSearchParams();
  for (const [name, value] of form) if (typeof value === 'string') texts.set(name, value);
  for (const end of ['from', 'to']) texts.set(end, fromLocalField(texts.get(end) ?? '') ?? '');
  return texts;
}
