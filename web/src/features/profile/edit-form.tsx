import { Trans } from '@lingui/react/macro';
import { type ComponentPropsWithRef, type ReactNode, useEffect, useRef } from 'react';
import { Button } from '../../components/button.tsx';

interface EditFormProps {
  formProps: ComponentPropsWithRef<'form'>;
  submitLabel: string;
  pendingLabel: string;
  pending: boolean;
  onCancel: () => void;
  children: ReactNode;
}

/** Renders a form that opens in its place: the first field gets the focus, Escape and Cancel close it. */
export function EditForm({
  formProps,
  submitLabel,
  pendingLabel,
  pending,
  onCancel,
  children,
}: EditFormProps) {
  const fields = useRef<HTMLDivElement>(null);
  useEffect(() => fields.current?.querySelector<HTMLInputElement>('input:not([hidden])')?.focus(), []);

  return (
    <form
      {...formProps}
      className="form-stack edit-form"
      onKeyDown={({ key }) => key === 'Escape' && onCancel()}
    >
      <div className="form-stack" ref={fields}>
        {children}
      </div>
      <div className="edit-form-actions">
        <button type="submit" className="btn btn-primary" disabled={pending}>
          {pending ? pendingLabel : submitLabel}
        </button>
        <Button look="secondary" onClick={onCancel}>
          <Trans>Cancel</Trans>
        </Button>
      </div>
    </form>
  );
}
