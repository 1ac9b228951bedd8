import './case-card.scss';
/** Holds the place of a case card while it is on its way, so that nothing jumps when it comes. */
export function CaseCardPlaceholder() {
  return (
    <div className="card case-card case-card-placeholder" aria-hidden="true">
      <span className="placeholder-line" />
      <span className="placeholder-line" />
      <span className="placeholder-block" />
      <span className="placeholder-block" />
    </div>
  );
}
