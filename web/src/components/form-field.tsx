import { type ComponentPropsWithRef, type ReactNode, useId } from 'react';

interface FormFieldProps extends Omit<ComponentPropsWithRef<'input'>, 'size'> {
  label: string;
  /** What is wrong with the value; shown beneath the field and tied to it. */
  error?: string | undefined;
  /** Standing help beneath the field. */
  hint?: ReactNode;
}

/** Renders a labelled text field. Takes every attribute of an input; `id` is made up when none is given. */
export function FormField({ label, error, hint, id, className = '', ...input }: FormFieldProps) {
  const madeUpId = useId();
  const fieldId = id ?? madeUpId;
  const hintId = `${fieldId}-hint`;
  const errorId = `${fieldId}-error`;
  const describedBy = [hint === undefined ? '' : hintId, error === undefined ? '' : errorId]
    .filter(Boolean)
    .join(' ');

  return (
    <div className={`form-field ${className}`}>
      <label className="form-label" htmlFor={fieldId}>
        {label}
      </label>
      <input
        className={`form-control ${error === undefined ? '' : 'is-invalid'}`}
        {...input}
        id={fieldId}
        aria-invalid={error === undefined ? undefined : true}
        aria-describedby={describedBy === '' ? undefined : describedBy}
      />
      {hint !== undefined && (
        <div className="form-text" id={hintId}>
          {hint}
        </div>
      )}
      {error !== undefined && (
        <div className="field-error" id={errorId}>
          {error}
        </div>
      )}
    </div>
  );
}
