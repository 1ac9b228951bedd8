import { type ComponentPropsWithRef, useId } from 'react';

interface SelectFieldProps extends Omit<ComponentPropsWithRef<'select'>, 'size'> {
  label: string;
  /** Value and words of each choice. */
  options: readonly (readonly [value: string, label: string])[];
  error?: string | undefined;
}

/** Renders a labelled choice of one. Takes every attribute of a select; `id` is made up when none is given. */
export function SelectField({ label, options, error, id, ...select }: SelectFieldProps) {
  const madeUpId = useId();
  const fieldId = id ?? madeUpId;
  return (
    <div className="form-field">
      <label className="form-label" htmlFor={fieldId}>
        {label}
      </label>
      <select
        className={`form-select ${error === undefined ? '' : 'is-invalid'}`}
        {...select}
        id={fieldId}
        aria-invalid={error === undefined ? undefined : true}
        aria-describedby={error === undefined ? undefined : `${fieldId}-error`}
      >
        {options.map(([value, words]) => (
          <option key={value} value={value}>
            {words}
          </option>
        ))}
      </select>
      {error !== undefined && (
        <div className="field-error" id={`${fieldId}-error`}>
          {error}
        </div>
      )}
    </div>
  );
}
