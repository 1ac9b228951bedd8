import type { Phase } from './row.ts';

const OVER = /\b(?:withdrawn|overturned|reversed|vacated|reopened)\b/;
const NEVER = /(?!)/;

/**
 * Which titles ask something of the applicant, and unless what. Of titles that the guide does not know: one that may set a date counts
 * as one that does.
 */
const ASKS: readonly (readonly [asks: RegExp, unless: RegExp])[] = [
  [/\b(?:denied|rejected|closed|terminated|revoked|abandoned|destroyed) unless\b/, NEVER],
  [
    /\brequest(?:s|ed)? for (?:\w+ ){0,4}evidence\b|\bevidence (?:\w+ ){0,2}(?:requested|required|needed)\b/,
    /\bresponse\b|\breceived\b|\bwithdrawn\b|\bcancel+ed\b/,
  ],
  [
    /\bintent to (?:deny|reject|revoke|rescind|terminate|withdraw|dismiss|reopen)\b/,
    /\bresponse\b|\breceived\b|\bwithdrawn\b|\bcancel+ed\b/,
  ],
  [
    /\bnotice of decision\b|\bdecision (?:notice |letter )?(?:was |has been )?(?:e?mailed|sent|issued|made)\b/,
    /\bapproved\b|\bapproval\b/,
  ],
  [
    /\b(?:denied|denial|rejected|rejection|revoked|revocation|rescinded|terminated|termination|dismissed|abandoned|not granted|not accepted)\b/,
    // An appeal that has arrived is no decision, and a wish for speed is not the case.
    /\bnot (?:automatically |yet )?(?:denied|rejected|revoked|rescinded|terminated|dismissed|abandoned)\b|\b(?:appeal|motion|request|response)\b.*\b(?:received|filed)\b|\b(?:expedite|litigation)\b/,
  ],
  [
    /\b(?:interview|biometrics?|fingerprints?|oath|hearing|appointment)\b.*\b(?:re)?scheduled\b|\b(?:interview|appointment|biometrics?|oath|oath ceremony|hearing) notice\b/,
    /\bcancel+ed\b|\bde ?scheduled\b|\b(?:be|been|being|ready|waiting|not) scheduled\b|\brequest to reschedule\b/,
  ],
  [/\bno one appeared\b|\b(?:did not|failed to) appear\b|\bmissed\b/, NEVER],
  [
    /\b(?:court|eoir|executive office|notice to appear|removal proceedings)\b/,
    /\breturned to uscis\b|\b(?:approved|granted)\b/,
  ],
  [
    /\b(?:undeliverable|could not (?:be )?deliver(?:ed)?|not delivered|not deliverable)\b|\b(?:card|document|notice|letter|mail|permit|passport)\b.*\breturned\b|\b(?:held?|hold|holding) (?:\w+ ){0,2}for 180 days\b|\b(?:is|will) be(?:ing)? held\b/,
    /\bdestroyed\b|\bnot returned\b|\b(?:then|later|now) (?:re ?)?(?:delivered|mailed)\b|\bresponse\b|\breceived\b|\bcancel+ed\b/,
  ],
];

/** Returns whether a folded title that the guide does not know asks something of the applicant. */
export function seemsToAsk(title: string): boolean {
  return ASKS.some(([asks, unless]) => asks.test(title) && !unless.test(title) && !OVER.test(title));
}

/** The first rule that fits a title decides; the agency publishes no list of its titles. */
const PHASES: readonly (readonly [RegExp, Phase])[] = [
  [/\b(rejected|withdraw\w*|terminat\w*|closed|abandon\w*)\b/, 'closed'],
  [/\binterview/, 'interview'],
  [/\b(biometrics?|fingerprints?)\b/, 'biometrics'],
  [/\b(evidence|intent to|response to)\b/, 'evidence'],
  [/\b(card|document|permit|parole|certificate)\b/, 'card'],
  [/\b(transferred|relocated|remanded|sent to|jurisdiction|another office)\b/, 'transferred'],
  [/\b(approv\w+|denied|denial|dismissed|revoked|revocation|decision|granted|oath)\b/, 'decision'],
  [/\b(received|accepted|receipt)\b/, 'received'],
];

/** Returns the phase of a folded title that the guide does not know. */
export function likelyPhase(title: string): Phase {
  return PHASES.find(([pattern]) => pattern.test(title))?.[1] ?? 'other';
}
