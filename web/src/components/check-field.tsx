import { type ComponentPropsWithRef, useId } from 'react';

interface CheckFieldProps extends Omit<ComponentPropsWithRef<'input'>, 'type'> {
  label: string;
  hint?: string;
}

/** Renders a labelled check box. */
export function CheckField({ label, hint, ...input }: CheckFieldProps) {
  const id = useId();
  return (
    <div className="check-field">
      <input
        type="checkbox"
        id={id}
        className="choice-input"
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        {...input}
      />
      <div>
        <label htmlFor={id}>{label}</label>
        {hint !== undefined && (
          <div className="form-text" id={`${id}-hint`}>
            {hint}
          </div>
        )}
      </div>
    </div>
  );
}
