import { useEffect } from 'react';
import { PRODUCT_NAME } from '../config/product.ts';

/** Names the browser tab `<title> | Casewatch` for as long as the screen is shown. */
export function usePageTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} | ${PRODUCT_NAME}`;
  }, [title]);
}
