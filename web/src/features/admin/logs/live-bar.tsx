import { grouped } from '../shared/admin-words.ts';
import type { LiveTail } from './use-live-tail.ts';

interface LiveBarProps {
  tail: LiveTail;
  /** How many have come since the newest were last looked at. */
  unseen: number;
  /** The reader has scrolled: nothing moves until the newest are asked for. */
  isPaused: boolean;
  onShowNewest: () => void;
}

/** Renders how the live tail is getting on, and the way to what has come. It takes the same room whatever it says. */
export function LiveBar({ tail, unseen, isPaused, onShowNewest }: LiveBarProps) {
  return (
    <div className="live-bar">
      <p role="status">{tailWords(tail, isPaused)}</p>
      {(unseen > 0 || isPaused) && (
        <button type="button" className="btn btn-sm btn-primary" onClick={onShowNewest}>
          {unseen > 0 ? `Show ${grouped(unseen)} new` : 'Resume'}
        </button>
      )}
    </div>
  );
}

function tailWords({ count, isInterrupted }: LiveTail, isPaused: boolean): string {
  if (isInterrupted) return 'The live tail is interrupted. It goes on by itself.';
  if (count === 0) return 'Waiting for new calls...';
  const arrived = `${grouped(count)} new ${count === 1 ? 'call' : 'calls'}`;
  return isPaused ? `${arrived}. Paused while you scroll.` : arrived;
}
