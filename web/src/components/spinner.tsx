interface SpinnerProps {
  label?: string;
  /** Fills the height of the window; for the time before any screen can be shown. */
  fullPage?: boolean;
}

/** Something is on its way; the label is shown beneath the ring and read out. */
export function Spinner({ label = 'Loading...', fullPage = false }: SpinnerProps) {
  return (
    <div className={`spinner-block ${fullPage ? 'spinner-block-full' : ''}`} role="status">
      <span className="spinner-ring" aria-hidden="true" />
      <span>{label}</span>
    </div>
  );
}
