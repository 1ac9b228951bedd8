import { foldStatus } from '@casewatch/contracts/fold-status';
import { PHASES, type Phase, TITLES_BY_PHASE } from './status-titles.ts';

/** For unknown titles: the first rule that fits decides. */
const RULES: readonly [RegExp, Phase][] = [
  [/\b(rejected|withdraw\w*|terminat\w*|closed|abandon\w*)\b/, 'closed'],
  [/\binterview/, 'interview'],
  [/\b(biometrics?|fingerprints?)\b/, 'biometrics'],
  [/\b(evidence|intent to|response to)\b/, 'evidence'],
  [/\b(card|document|permit|parole|certificate)\b/, 'card'],
  [/\b(transferred|relocated|remanded|sent to|jurisdiction|another office)\b/, 'transferred'],
  [/\b(approv\w+|denied|denial|dismissed|revoked|revocation|decision|granted|oath)\b/, 'decision'],
  [/\b(received|accepted|receipt)\b/, 'received'],
];
const PHASE_OF: ReadonlyMap<string, Phase> = new Map(
  PHASES.flatMap((phase) => TITLES_BY_PHASE[phase].map((title) => [foldStatus(title), phase] as const)),
);
/** The phase of a status title; every title has one. */
export function phaseOf(status: string): Phase {
  const title = foldStatus(status);
  return PHASE_OF.get(title) ?? RULES.find(([pattern]) => pattern.test(title))?.[1] ?? 'other';
}
