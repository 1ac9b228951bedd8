import { useState } from 'react';

const VIEW_KEY = 'casewatch-saved-cases-view';
export type CaseView = 'cards' | 'table';

/** Returns whether the cases are shown as cards or as a table, remembered on this device. */
export function useCaseView(): [CaseView, (view: CaseView) => void] {
  const [view, setView] = useState<CaseView>(readView);
  const choose = (wanted: CaseView) => {
    setView(wanted);
    try {
      localStorage.setItem(VIEW_KEY, wanted);
    } catch {
      // Storage may be off or full; the choice then lasts as long as the page.
    }
  };
  return [view, choose];
}

function readView(): CaseView {
  try {
    return localStorage.getItem(VIEW_KEY) === 'table' ? 'table' : 'cards';
  } catch {
    return 'cards';
  }
}
