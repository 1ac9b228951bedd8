import { OTHER_TERMINAL_TITLES, PHASES, type Phase, TITLES_BY_PHASE } from './status-titles.ts';

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
const TERMINAL_RULE = /\b(denied|dismissed|revoked|destroyed|delivered)\b/;
/** `Expedite Request Denied` ends the request, not the case. */
const ABOUT_A_REQUEST = /\b(request|intent|form g-28)\b/;

const PHASE_OF: ReadonlyMap<string, Phase> = new Map(
  PHASES.flatMap((phase) => TITLES_BY_PHASE[phase].map((title) => [title.toLowerCase(), phase] as const)),
);
const TERMINAL: ReadonlySet<string> = new Set(
  [...TITLES_BY_PHASE.closed, ...OTHER_TERMINAL_TITLES].map((title) => title.toLowerCase()),
);

/** The phase of a status title; every title has one. */
export function phaseOf(status: string): Phase {
  const title = plain(status);
  return PHASE_OF.get(title) ?? RULES.find(([pattern]) => pattern.test(title))?.[1] ?? 'other';
}

/** Nothing is expected to follow this status. Approvals are not terminal: a card or a transfer follows. */
export function isTerminal(status: string): boolean {
  const title = plain(status);
  if (PHASE_OF.has(title)) return TERMINAL.has(title);
  if (ABOUT_A_REQUEST.test(title)) return false;
  return phaseOf(title) === 'closed' || TERMINAL_RULE.test(title);
}

function plain(status: string): string {
  return status.trim().replace(/\s+/g, ' ').toLowerCase();
}
