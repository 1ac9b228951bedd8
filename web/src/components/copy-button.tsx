import { t } from '@lingui/core/macro';
import { useState } from 'react';
import { Icon } from './icon.tsx';
import { useToast } from './toast/toast-provider.tsx';

interface CopyButtonProps {
  text: string;
  /** What the button says: name what is copied. */
  label: string;
}

/** Copies a text, and says so on itself. */
export function CopyButton({ text, label }: CopyButtonProps) {
  const [isCopied, setIsCopied] = useState(false);
  const toast = useToast();
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setIsCopied(true);
    } catch {
      toast({
        title: t`Couldn’t copy`,
        description: t`Select the text and copy it yourself.`,
        variant: 'destructive',
      });
    }
  };
  return (
    <button type="button" className="btn btn-sm btn-outline-primary" onClick={() => void copy()}>
      <Icon name={isCopied ? 'check' : 'copy'} size={16} />
      <span aria-live="polite">{isCopied ? t`Copied` : label}</span>
    </button>
  );
}
