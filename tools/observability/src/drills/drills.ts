import { OBJECTIVES } from '../mixin/objectives.ts';
import { BLINDNESS_DRILLS } from './blindness-drills.ts';
import { burnRateDrillsOf } from './burn-rate-drills.ts';
import { OUTAGE_DRILLS } from './outage-drills.ts';
import { PART_DRILLS } from './part-drills.ts';
import type { Drill } from './run-drill.ts';
import { UPKEEP_DRILLS } from './upkeep-drills.ts';

/** One drill for each alert of the mixin, but for those of `WITHOUT_DRILL`. */
export const DRILLS: readonly Drill[] = [
  ...OBJECTIVES.flatMap(burnRateDrillsOf),
  ...OUTAGE_DRILLS,
  ...PART_DRILLS,
  ...UPKEEP_DRILLS,
  ...BLINDNESS_DRILLS,
];
