import type { CallOverview } from '@casewatch/contracts/admin-log';
import { grouped } from '../shared/admin-words.tsx';
import { ChartFrame } from './chart-frame.tsx';
import { CHART } from './chart-shapes.ts';
import { hourOf } from './log-words.ts';

const SLOT_MS = 10 * 60_000;

/** Renders how the agency answered in each ten minutes: fine, partly, or not at all. */
export function HealthTimeline({ overview }: { overview: CallOverview }) {
  const { from, to, health } = overview;
  const fromMs = Date.parse(from);
  const slots = Math.max(1, Math.ceil((Date.parse(to) - fromMs) / SLOT_MS));
  const width = CHART.width / slots;
  const bad = health.filter(({ faults, suspended }) => faults + suspended > 0);
  const worst = bad.at(-1);
  const answered = health.length === 0 ? 'No calls to the agency' : 'The agency answered every call';
  const stretches = `${grouped(bad.length)} ${bad.length === 1 ? 'stretch' : 'stretches'} of ten minutes`;
  const label =
    worst === undefined ? answered : `The agency failed in ${stretches}, last at ${hourOf(worst.at)}`;
  return (
    <ChartFrame label={label}>
      {health.map((slot) => (
        <rect
          key={slot.at}
          className={`chart-${toneOf(slot)}`}
          x={((Date.parse(slot.at) - fromMs) / SLOT_MS) * width}
          width={Math.max(1, width * 0.9)}
          y={CHART.height - heightOf(slot)}
          height={heightOf(slot)}
        />
      ))}
    </ChartFrame>
  );
}

type Slot = CallOverview['health'][number];

function toneOf({ answered, faults, suspended }: Slot): 'primary' | 'warning' | 'danger' {
  if (faults + suspended === 0) return 'primary';
  return answered > 0 ? 'warning' : 'danger';
}

/** Shown by height, too, not only by color. */
function heightOf(slot: Slot): number {
  return CHART.height * { primary: 0.3, warning: 0.65, danger: 1 }[toneOf(slot)];
}

/** Returns how the agency is now, by its last answers. */
export function healthWords({ health, to }: CallOverview): string {
  const last = health.at(-1);
  if (last === undefined || Date.parse(to) - Date.parse(last.at) > 6 * SLOT_MS) return 'no calls lately';
  const tone = toneOf(last);
  if (tone === 'primary') return 'answering';
  return tone === 'warning' ? 'failing in part' : 'failing';
}
