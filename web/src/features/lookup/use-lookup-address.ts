import { isReceiptNumber, normaliseReceiptNumber } from '@casewatch/contracts/receipt-number';
import { useMemo } from 'react';
import { useLocation, useNavigate, useSearchParams } from 'react-router-dom';

export type LookupView = 'single' | 'bulk';

/** What the browser's history keeps with the address; a link from another site can't bring it along. */
interface LookupState {
  /** The views whose receipt numbers were asked for here. */
  asked: readonly LookupView[];
  /** Bulk results that were taken off the screen. */
  dismissed: readonly string[];
}

const NOTHING: LookupState = { asked: [], dismissed: [] };

/**
 * Returns the lookup page's state in its address: `/?receipt=EAC9999103403` and `/?view=bulk&receipts=EAC…,LIN…`. Going back
 * brings the results again. Only what was asked for on this page is looked up; a link from another site fills in the
 * fields and waits for the person.
 */
export function useLookupAddress() {
  const [search] = useSearchParams();
  const location = useLocation();
  const navigate = useNavigate();
  const state = readState(location.state);
  const view: LookupView = search.get('view') === 'bulk' ? 'bulk' : 'single';
  const single = normaliseReceiptNumber(search.get('receipt') ?? '');
  const listed = search.get('receipts') ?? '';
  const bulk = useMemo(
    () => [...new Set(listed.split(',').map(normaliseReceiptNumber).filter(isReceiptNumber))],
    [listed],
  );

  const go = (
    wanted: { view: LookupView; single: string; bulk: readonly string[] },
    next: LookupState,
    replace: boolean,
  ) => {
    const query = new URLSearchParams();
    if (wanted.view === 'bulk') query.set('view', 'bulk');
    if (wanted.single !== '') query.set('receipt', wanted.single);
    if (wanted.bulk.length > 0) query.set('receipts', wanted.bulk.join(','));
    navigate({ search: query.toString().replaceAll('%2C', ',') }, { replace, state: next });
  };
  const without = (one: LookupView) => state.asked.filter((asked) => asked !== one);
  const isAsked = (one: LookupView) => state.asked.includes(one);

  return {
    view,
    /** To fill in the fields with, asked for or not. */
    single,
    bulk,
    /** Undefined, or empty, until it is asked for. */
    askedSingle: isAsked('single') && isReceiptNumber(single) ? single : undefined,
    askedBulk: isAsked('bulk') ? bulk : NOTHING.dismissed,
    dismissed: state.dismissed,
    show: (wanted: LookupView) => go({ view: wanted, single, bulk }, state, true),
    askSingle: (receiptNumber: string) =>
      go(
        { view: 'single', single: receiptNumber, bulk },
        { ...state, asked: [...without('single'), 'single'] },
        false,
      ),
    askBulk: (receiptNumbers: readonly string[]) =>
      go(
        { view: 'bulk', single, bulk: receiptNumbers },
        { asked: [...without('bulk'), 'bulk'], dismissed: [] },
        false,
      ),
    /** Fills in the box for a bulk search, which waits for the person. */
    prepareBulk: (receiptNumbers: readonly string[]) =>
      go({ view: 'bulk', single, bulk: receiptNumbers }, { asked: without('bulk'), dismissed: [] }, false),
    /** Takes the results of a view off the screen; `replace` where nothing is worth going back to. */
    clear: (one: LookupView, replace: boolean) =>
      go(
        { view, single: one === 'single' ? '' : single, bulk: one === 'bulk' ? [] : bulk },
        { ...state, asked: without(one) },
        replace,
      ),
    dismiss: (receiptNumber: string) =>
      go({ view, single, bulk }, { ...state, dismissed: [...state.dismissed, receiptNumber] }, true),
  };
}
export type LookupAddress = ReturnType<typeof useLookupAddress>;

function readState(state: unknown): LookupState {
  if (typeof state !== 'object' || state === null || !('asked' in state) || !Array.isArray(state.asked))
    return NOTHING;
  const dismissed: unknown[] = 'dismissed' in state && Array.isArray(state.dismissed) ? state.dismissed : [];
  return {
    asked: state.asked.filter((one): one is LookupView => one === 'single' || one === 'bulk'),
    dismissed: dismissed.filter((one) => typeof one === 'string'),
  };
}
