import { isReceiptNumber, normaliseReceiptNumber } from '@casewatch/contracts/receipt-number';
import { useEffect, useEffectEvent } from 'react';
import { useLocation, useNavigate, useSearchParams } from 'react-router-dom';

/** What a link inside the app carries to have the case looked up at once. */
export interface LinkedReceiptState {
  lookUp: true;
}

/**
 * The receipt number that the address asks for (`/?receipt=EAC9999103403`), to begin with. Only a link inside the
 * app has it looked up at once; one from elsewhere fills in the field and waits for the person.
 */
export function useLinkedReceipt(lookUp: (receiptNumber: string) => void): string {
  const [search] = useSearchParams();
  const { state, pathname } = useLocation();
  const navigate = useNavigate();
  const linked = normaliseReceiptNumber(search.get('receipt') ?? '');
  const lookUpLinked = useEffectEvent(lookUp);

  const isAsked = isLinkedReceiptState(state) && isReceiptNumber(linked);
  useEffect(() => {
    if (!isAsked) return;
    lookUpLinked(linked);
    // A reload should not ask again.
    navigate(`${pathname}?receipt=${linked}`, { replace: true, state: null });
  }, [isAsked, linked, pathname, navigate]);
  return linked;
}

function isLinkedReceiptState(state: unknown): state is LinkedReceiptState {
  return typeof state === 'object' && state !== null && 'lookUp' in state && state.lookUp === true;
}
