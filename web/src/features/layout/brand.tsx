import { Trans } from '@lingui/react/macro';
import { PRODUCT_NAME } from '../../config/product.ts';

/** Renders the product's mark and name. `compact` keeps the mark alone on screen; the name is still read out. */
export function Brand({ compact = false }: { compact?: boolean }) {
  return (
    <span className="brand">
      <BrandMark />
      <span className={compact ? 'visually-hidden' : 'brand-words'}>
        <span className="brand-name">{PRODUCT_NAME}</span>
        <span className="brand-subtitle">
          <Trans>Immigration Lookup</Trans>
        </span>
      </span>
    </span>
  );
}

/** Three steps of a case, the last one reached. */
function BrandMark() {
  return (
    <svg
      className="brand-mark"
      width="32"
      height="32"
      viewBox="0 0 32 32"
      aria-hidden="true"
      focusable="false"
    >
      <rect width="32" height="32" rx="8" className="brand-mark-tile" />
      <path d="M9 22.5 16 16l7-6.5" className="brand-mark-line" />
      <circle cx="9" cy="22.5" r="2.6" className="brand-mark-step" />
      <circle cx="16" cy="16" r="2.6" className="brand-mark-step" />
      <circle cx="23" cy="9.5" r="3.6" className="brand-mark-now" />
    </svg>
  );
}
