import { share } from './survey-words.ts';

interface OptionBarsProps {
  options: readonly { option: string; count: number }[];
  /** How many people answered, which the shares are of. */
  answered: number;
}

/** How often each option was chosen: a bar, and its numbers. */
export function OptionBars({ options, answered }: OptionBarsProps) {
  return (
    <ul className="option-bars">
      {options.map(({ option, count }) => (
        <li key={option}>
          <span className="option-bars-name">{option}</span>
          <span className="option-bars-numbers">
            {count} ({share(count, answered)} %)
          </span>
          <svg viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true" focusable="false">
            <rect className="option-track" width={100} height={1} />
            <rect className="option-bar" width={share(count, answered)} height={1} />
          </svg>
        </li>
      ))}
    </ul>
  );
}
