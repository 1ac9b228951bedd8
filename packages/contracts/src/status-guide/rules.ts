import type { Phase } from './row.ts';

/** What a title says is over, or is not so: it asks nothing, whatever else the title says is judged without it. */
const OVER = new RegExp(
  [
    String.raw`\b(?:denial|rejection|revocation|termination|dismissal|request for (?:\w+ ){0,4}evidence|intent to \w+)(?: notice| of \w+ \w+)? (?:was |were |has been )?(?:withdrawn|overturned|reversed|vacated|rescinded|canceled|reopened)\b`,
    String.raw`\breopened after (?:\w+ )?denial\b`,
    // An appeal that has arrived is no decision, and a wish for speed is not the case.
    String.raw`\b(?:appeal|motion|request|response) (?:to|of|for|from|on|against)\b(?!.*\bnot (?:received|filed)).*\b(?:deni|reject|revo|terminat|dismiss)\w+\b.*\b(?:received|filed)$`,
    String.raw`\bexpedited? (?:\w+ ){0,3}(?:denied|rejected|not granted)\b`,
    String.raw`\btermination of litigation\b|\blitigation (?:\w+ )?(?:terminated|dismissed)\b`,
    String.raw`\bnot (?:\w+ )?(?:denied|rejected|revoked|rescinded|terminated|dismissed|abandoned|returned)\b`,
    String.raw`\bno decision (?:\w+ ){0,2}made\b`,
    String.raw`\bno (?:\w+ ){0,2}(?:action|evidence|response|fee|payment|interview|appointment)(?: \w+)? (?:required|needed|due|scheduled)\b`,
  ].join('|'),
  'g',
);
const NEVER = /(?!)/;

/**
 * Which titles ask something of the applicant, and unless what. Of titles that the guide does not know: one that may set a date counts
 * as one that does.
 */
const ASKS: readonly (readonly [asks: RegExp, unless: RegExp])[] = [
  [
    /\bunless\b|\b(?:no response|not received|overdue|past due|expired|missed|no one appeared|appear|fail(?:ed|ure) to|did not|could not|cannot|deadline)\b|\bwill be (?:denied|rejected|closed|terminated|revoked|abandoned|destroyed|canceled)\b|^(?:please |you must |you need to )?(?:submit|upload|send|pay|sign|provide|respond|call|contact (?:us|uscis))\b/,
    NEVER,
  ],
  [
    /\brequest(?:s|ed)? for (?:\w+ ){0,4}(?:evidence|information|documents?|photos?|payment|form)\b|\b(?:rfe|rfie)\b/,
    /\bresponse\b|\breceived\b|\bapproved\b/,
  ],
  [
    /\b(?:action|response|reply|evidence|documents?|photos?|fee|payment|signature|exam|form|affidavit|interview|biometrics?|fingerprints?)\b.*\b(?:requested|required|needed|due|missing)\b|\b(?:await(?:ing|s)|waiting for|pending your) (?:\w+ )?(?:response|reply|action|evidence|documents?|payment)\b/,
    /\breceived\b|\bnot (?:required|needed)\b/,
  ],
  [
    /\bintent to (?:deny|reject|revoke|rescind|terminate|withdraw|dismiss|reopen|close)\b|\b(?:noid|noir|noit)\b/,
    /\bresponse\b|\breceived\b/,
  ],
  [
    /\bnotice of decision\b|\bdecision (?:notice |letter )?(?:was |has been )?(?:(?:e ?)?mailed|sent|issued|made|posted|entered|rendered|reached|affirmed|reversed|upheld)\b|\bcase (?:was )?decided\b/,
    /\bapproved\b|\bapproval\b|\bgranted\b/,
  ],
  [
    /\b(?:denied|denial|disapproved|refused|ineligible|ineligibility|rejected|rejection|revoked|revocation|rescinded|terminated|termination|dismissed|abandoned|abandonment|unpaid|declined|dishonored|insufficient funds|not (?:approved|granted|accepted|honored))\b|\b(?:tps|status|approval|authorization|permit|parole)\b.*\b(?:withdrawn|reversed|overturned|vacated)\b|\bwithdrawal of (?:\w+ ){0,4}(?:tps|status|approval|authorization)\b/,
    NEVER,
  ],
  [
    /\b(?:interview|biometrics?|fingerprints?|oath|ceremony|hearing|appointment)\b.*\b(?:(?:re|de|de )?scheduled|changed|postponed|canceled|moved)\b|\b(?:interview|appointment|biometrics?|fingerprints?|oath|ceremony|hearing) (?:notice|letter)\b/,
    /\b(?:to be|will|can|must|not|being|ready|waiting)\b.*\bscheduled\b|\brequest to (?:re ?)?schedule\b/,
  ],
  [
    /\b(?:court|eoir|executive office|immigration judge|referred|referral|notice to appear|nta|ice|immigration and customs enforcement|removal proceedings|order of removal|removal order)\b/,
    /\breturned to uscis\b|\b(?:approved|granted)\b/,
  ],
  [
    /\b(?:undeliverable|not deliver(?:ed|able)|(?:wrong|incorrect) address|delivery (?:was )?(?:attempted|failed)|lost in)\b|\b(?:card|document|notice|letter|mail|permit|passport|certificate|package|application|petition|form|payment|check|fee)\b.*\breturned\b|\b(?:held|hold|holding)\b.*\b180 days\b|\b(?:is|will) be(?:ing)? held\b/,
    /\bdestroyed\b|\bdepartment of state\b|\b(?:then|later|now) (?:re ?)?(?:delivered|mailed)\b|\bresponse\b|\breceived\b|\bcanceled\b/,
  ],
];

/** Returns whether a title in words (`statusWords`) that the guide does not know asks something of the applicant. */
export function seemsToAsk(words: string): boolean {
  const left = words.replace(OVER, '');
  return ASKS.some(([asks, unless]) => asks.test(left) && !unless.test(left));
}

/** The first rule that fits a title decides; the agency publishes no list of its titles. */
const PHASES: readonly (readonly [RegExp, Phase])[] = [
  [/\b(?:unless|intent to|will be (?:denied|rejected|closed|terminated|revoked))\b/, 'evidence'],
  [/\b(?:rejected|rejection|withdraw\w*|terminat\w*|closed|abandon\w*)\b/, 'closed'],
  [/\b(?:denied|denial|disapproved|refused|dismissed|revoked|revocation)\b/, 'decision'],
  [/\binterview/, 'interview'],
  [/\b(?:biometrics?|fingerprints?)\b/, 'biometrics'],
  [/\b(?:evidence|response to|rfe|rfie|noid|noir)\b/, 'evidence'],
  [/\b(?:card|document|permit|parole|certificate)\b/, 'card'],
  [/\b(?:transferred|relocated|remanded|sent to|jurisdiction|another office)\b/, 'transferred'],
  [/\b(?:approv\w+|ineligib\w+|decision|granted|oath|ceremony)\b/, 'decision'],
  [/\b(?:received|accepted|receipt)\b/, 'received'],
];

/** Returns the phase of a title in words that the guide does not know. */
export function likelyPhase(words: string): Phase {
  return PHASES.find(([pattern]) => pattern.test(words))?.[1] ?? 'other';
}
