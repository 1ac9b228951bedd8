import type { LiveTail } from './use-live-tail.ts';

interface LiveBarProps {
  tail: LiveTail;
  /** How many have come since the newest were last looked at. */
  unseen: number;
  onShowNewest: () => void;
}

/** How the live tail is getting on, and the way to what has come. It takes the same room whatever it says. */
export function LiveBar({ tail, unseen, onShowNewest }: LiveBarProps) {
  return (
    <div className="live-bar">
      <p role="status">{tailWords(tail)}</p>
      {unseen > 0 && (
        <button type="button" className="btn btn-sm btn-primary" onClick={onShowNewest}>
          Show {unseen} new
        </button>
      )}
    </div>
  );
}

function tailWords({ count, isInterrupted }: LiveTail): string {
  if (isInterrupted) return 'The live tail is interrupted. It goes on by itself.';
  if (count === 0) return 'Waiting for new calls...';
  return `${count} new ${count === 1 ? 'call' : 'calls'}`;
}
