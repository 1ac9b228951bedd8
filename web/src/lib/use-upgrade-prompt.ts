import { useState } from 'react';

/** Returns the state of an upgrade dialog: `ask` opens it for a feature, `dialog` is what to hand to it. */
export function useUpgradePrompt() {
  // The feature outlives the closing, so that the words don't change while the dialog fades out.
  const [{ feature, show }, setPrompt] = useState({ feature: '', show: false });
  return {
    ask: (wanted: string) => setPrompt({ feature: wanted, show: true }),
    dialog: { feature, show, onHide: () => setPrompt({ feature, show: false }) },
  };
}
