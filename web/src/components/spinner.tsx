import { t } from '@lingui/core/macro';
import { PRODUCT_NAME } from '../config/product.ts';

interface SpinnerProps {
  label?: string;
  /** Fills the window and is a page of its own; for the time before any screen can be shown. */
  fullPage?: boolean;
}

/** Shows that something is on its way; the label is shown beneath the ring and read out. */
export function Spinner({ label = t`Loading...`, fullPage = false }: SpinnerProps) {
  const ring = (
    <div className={`spinner-block ${fullPage ? 'spinner-block-full' : ''}`} role="status">
      <span className="spinner-ring" aria-hidden="true" />
      <span>{label}</span>
    </div>
  );
  if (!fullPage) return ring;
  return (
    <main>
      <h1 className="visually-hidden">{PRODUCT_NAME}</h1>
      {ring}
    </main>
  );
}
