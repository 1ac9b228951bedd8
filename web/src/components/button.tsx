import type { ComponentPropsWithRef } from 'react';

const LOOKS = {
  primary: 'btn btn-primary',
  secondary: 'btn btn-outline-secondary',
  small: 'btn btn-outline-secondary btn-sm',
};

interface ButtonProps extends Omit<ComponentPropsWithRef<'button'>, 'type' | 'className'> {
  /** `primary`: what the screen is for; `secondary`: another way out; `small`: one of several beside what they act on. */
  look?: keyof typeof LOOKS;
}

/** Renders a button that submits no form. Takes every attribute of a button. */
export function Button({ look = 'small', ...button }: ButtonProps) {
  return <button type="button" {...button} className={LOOKS[look]} />;
}
