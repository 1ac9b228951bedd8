import { Icon } from './icon.tsx';
import { statusAppearance } from './status-appearance.ts';

/** The status of a case as a badge: colour and icon follow the words, which are always shown. */
export function StatusBadge({ status }: { status: string }) {
  const { variant, icon } = statusAppearance(status);
  return (
    <span className={`status-badge status-badge-${variant}`}>
      <Icon name={icon} size={16} />
      <span>{status}</span>
    </span>
  );
}
