/**
 * What a refusal of a mail server is about:
 * - `recipient`: the address does not exist, or accepts no mail any more.
 * - `message`: this message, whose recipient may get others.
 * - `sender`: our account, its quota, or the server: it would be the same for every message.
 * - `later`: this recipient or message for now, such as a full mailbox.
 */
export type Fault = 'recipient' | 'message' | 'sender' | 'later';

/** A reply to one SMTP command, as the server wrote it. */
export interface SmtpReply {
  /** `RCPT TO`, `DATA`, `MAIL FROM`, `CONN`, … */
  readonly command: string;
  /** The basic reply code (RFC 5321, 4.2.3). */
  readonly code: number;
  readonly text: string;
}

/** Subject and detail of enhanced status codes (RFC 3463, and the registry of RFC 5248) that leave no doubt, whatever the text says. */
export const CLEAR_CODES: Readonly<Record<string, Fault>> = {
  '1.1': 'recipient', // bad destination mailbox address
  '1.2': 'recipient', // bad destination system address
  '1.3': 'recipient', // bad destination mailbox address syntax
  '1.6': 'recipient', // mailbox has moved, no forwarding address
  '1.10': 'recipient', // domain has a null MX (RFC 7505)
  '1.4': 'message', // destination mailbox address ambiguous
  '1.7': 'sender', // bad sender's mailbox address syntax
  '1.8': 'sender', // bad sender's system address
  '1.90': 'sender', // Exchange Online: daily limit of recipients
  '2.3': 'message', // longer than this recipient accepts
  '2.4': 'later', // mailing list expansion problem
  '3.3': 'message', // system not capable of selected features
  '3.4': 'message', // message too big for system
  '4.5': 'sender', // mail system congestion, and Gmail's sending limits
  '4.6': 'message', // routing loop
  '4.7': 'message', // delivery time expired
  '5.3': 'later', // too many recipients
  '6.1': 'message', // media not supported
  '6.2': 'message', // conversion required and prohibited
  '6.3': 'message', // conversion required but not supported
  '6.5': 'message', // conversion failed
  '6.6': 'message', // message content not available
  '6.7': 'message', // non-ASCII addresses not supported
  '7.2': 'message', // mailing list expansion prohibited
  '7.8': 'sender', // credentials invalid
  '7.9': 'sender', // authentication mechanism too weak
  '7.10': 'sender', // encryption needed
  '7.11': 'sender', // encryption required for this mechanism
  '7.12': 'sender', // password transition needed
  '7.13': 'sender', // user account disabled: the one that signs in
  '7.14': 'sender', // trust relationship required
  '7.15': 'message', // priority too low
  '7.16': 'message', // too big for its priority
  '7.17': 'recipient', // mailbox owner has changed (RFC 7293)
  '7.18': 'recipient', // domain owner has changed
  '7.20': 'sender', // no passing DKIM signature
  '7.21': 'sender', // no acceptable DKIM signature
  '7.22': 'sender', // no DKIM signature of the author
  '7.23': 'sender', // SPF validation failed
  '7.24': 'sender', // SPF validation error
  '7.25': 'sender', // reverse DNS validation failed
  '7.26': 'sender', // multiple authentication checks failed
  '7.27': 'sender', // sender's domain has a null MX
  '7.28': 'sender', // mail flood detected
  '7.29': 'sender', // ARC validation failed
  '7.30': 'sender', // REQUIRETLS support required
  '7.124': 'message', // Exchange: the recipient takes mail of a list of senders only
  '7.129': 'message',
  '7.133': 'message',
  '7.134': 'message',
  '7.136': 'message',
};

/** Exchange Online: the server, network or tenant that sends is blocked. */
const EXCHANGE_BLOCKS = /^7\.[567]\d\d$/;

/** Where the code leaves it open the words of the text decide, and without any of them this: by subject and detail, then by subject. */
export const OPEN_CODES: Readonly<Record<string, Fault>> = {
  '1': 'message',
  '2.1': 'recipient', // mailbox disabled; Gmail also says so of one that gets too much for now
  '2.2': 'later', // mailbox full; Exchange also says so of our own quota
  '2': 'message',
  '3.5': 'sender', // system incorrectly configured
  '3': 'later', // mail system
  '4': 'later', // network and routing
  '5': 'later', // protocol
  '6': 'message', // content
  '7': 'message', // security and policy: spam
};

/** Basic codes without an enhanced one that are about the connection or the account, whatever the text says. */
export const SENDER_REPLIES: readonly number[] = [
  421, // closing the connection
  432, // password transition needed
  454, // temporary authentication failure
  503, // bad sequence of commands: the session was in a wrong state
  521, // host accepts no mail
  523, // encryption needed, or another reply of the sign-in
  525, // account disabled, or used from a network where it may not be
  530, // authentication required
  534, // authentication mechanism too weak
  535, // credentials invalid
  538, // encryption required
];

/** The other basic codes, at `RCPT TO`, where no enhanced code and no words say more; those that are missing end the message. */
export const RECIPIENT_REPLIES: Readonly<Record<number, Fault>> = {
  500: 'sender', // command not recognized
  502: 'sender', // the server does not support the command
  504: 'sender', // the server does not support the parameter
  551: 'recipient', // user not local
  552: 'later', // exceeded storage allocation
  555: 'later', // parameters not recognized
  556: 'recipient', // domain accepts no mail (RFC 7504)
};

/** What texts say, first match first: of messages before senders, since a message may name a list of blocked links. */
const WORDS: readonly (readonly [Fault, RegExp])[] = [
  ['sender', /\bsender (?:address )?(?:rejected|refused|denied|verif\w+)/],
  [
    'recipient',
    /\b(?:no such|unknown|non-?existent) (?:local )?(?:user|recipient|mail ?box)\b|\b(?:user|recipient|mail ?box) (?:is )?(?:unknown|not found|does(?:n't| not) exist)\b/,
  ],
  [
    'message',
    /\b(?:message|mail|content|header|line)\b.{0,40}\b(?:too (?:large|big|long)|exceeds? .{0,30}size|contains?)\b|\bmaximum (?:message )?size\b|\b(?:url|link|attachment|virus|malware|phishing)s?\b/,
  ],
  [
    'later',
    /\brecei(?:ving|ved) (?:mail|messages) (?:at a rate|too)|\bgr[ea]y-?list|\bmail ?box (?:is |temporarily )*(?:busy|locked|in use)\b/,
  ],
  [
    'sender',
    /\b(?:daily|hourly|weekly|monthly|\d+[- ]hour|sending|sender|submission|outbound|outgoing|relay|messaging|smtp)\b.{0,40}\b(?:quota|limits?|rate|credits)\b|\b(?:quota|limit|credits)\b.{0,40}\b(?:per|for) (?:the |this |an? )?(?:second|minute|hour|day|today|month)\b|\bthrottl|\bcredits exceeded\b|\byou(?:r account)?(?:'ve| have| has)? (?:\w+ )?(?:exceeded|reached|sent too)/,
  ],
  [
    'sender',
    /\b(?:max\w*|limits?|quota|exceed\w*|too many|cuota|limite)\b.{0,60}\b(?:(?:per|this|an?) (?:second|minute|hour|day|month)|diari[ao]|por (?:hora|dia)|de envios?)\b|\b(?:quota|too many \w+)\b.{0,30}\byour (?:account|ip|domain|server|network)\b|\b(?:connection|message) rate\b|\bdomain\b.{0,60}\bexceeded\b|\bcuota (?:diaria|de envio)|\blimits?\b.{0,40}\b(?:outgoing|sent|sending)\b|\bsending too (?:fast|many|much)\b/,
  ],
  [
    // What a service says of its customer's account, plan and bill; `data` is the command.
    'sender',
    /^data account (?:is |has been )?(?:disabled|suspended|blocked|locked|inactive|closed)\b|\b(?:not |n't )(?:allow(?:ed)?|authorized|able|permitted) (?:\w+ )?(?:to send|sending|to perform)\b|\bactivate your\b|\bunder review\b|\binsufficient (?:credits?|funds|balance)\b|\bpayment (?:is )?required\b|\bpast due\b|\b(?:trial|subscription|plan)\b.{0,20}\b(?:expired|ended|over)\b|\bsandbox\b|\bconfiguration set\b|\btenant\b/,
  ],
  [
    'sender',
    /\brelay(?:ing)?\b.{0,40}\b(?:denied|permitted|allowed|prohibited|disabled)\b|\b(?:unable|not|permitted|allowed|authorized) (?:to )?relay\b|\brcpthosts\b|\bno relaying\b|\brelay no permitido\b|\bremitente no autorizado\b/,
  ],
  [
    'sender',
    /\bauthenticat\w+ (?:is )?(?:required|failed|needed)|\bmust (?:\w+ ){0,2}(?:authenticate|log ?in|sign in)|\b(?:not |un)authenticated\b|\bnot logged in\b|\bcredentials\b|\bstarttls\b|\bunauthorized ip\b/,
  ],
  [
    'sender',
    /\b(?:sender|from|mail ?from|return[- ]path|envelope[- ]from)\b.{0,30}\b(?:rejected|denied|refused|failed|blocked|black ?listed|banned|invalid|(?:un)?verif\w+|unauthorized|not|must|unknown|does(?:n't| not))\b|\bsend ?as\b|\bidentit(?:y|ies)\b|\bnot (?:owned by|a verified|authorized to send)\b|\b(?:address|domain) (?:is )?(?:not verified|unverified)\b/,
  ],
  [
    'sender',
    /\b(?:your|sending|sender'?s?)\b.{0,30}\b(?:account|domain|service|access|plan)\b.{0,40}\b(?:suspend|disabl|paus|block|lock|expire|inactiv|restrict|terminat|not)|\bsending (?:\w+ ){0,3}(?:paused|suspended|disabled|blocked)\b/,
  ],
  [
    'sender',
    /\b(?:client|host|ip|server|network)\b.{0,60}\b(?:black ?list\w*|block(?:ed| ?list\w*)|banned|rejected|denied|listed|reputation)\b|\bspamhaus\b|\bspamcop\b|\b(?:dns|r)bl\b|\breputation\b|\bsender score\b|\b(?:messages?|connections?|mail) from \[?\d+\.\d+\.|(?<![?&])\bip=\d|\bspf\b|\bdkim\b|\bdmarc\b|\breverse dns\b|\bptr\b|\bhelo\b/,
  ],
  [
    'later',
    /\b(?:mail ?box|inbox|user|recipient|account|quota|storage|allocation)\b.{0,40}\b(?:full|over ?(?:the )?quota|exceed\w*|out of (?:storage|space))\b|\bover ?quota\b|\bquota ?exceeded|\b(?:buzon|casilla|cuota|caixa|postfach|boite)\b.{0,40}\b(?:llen[oa]|excede|excedid[oa]|superad[oa]|cheia|voll|pleine)\b|\bexceeded storage\b|\binsufficient (?:\w+ )?(?:space|storage)\b/,
  ],
  ['later', /\btemporar|\b(?:try|retry) (?:again|later)\b/],
  [
    'recipient',
    /\b(?:user|recipient|rcpt|mail ?box|account|address|alias|customer)\b.{0,40}\b(?:unknown|not (?:be )?(?:found|known|listed|valid|local)|not exist|doesn't exist|(?:is )?invalid|no longer|suspended|disabled|inactive|due to inactivity|closed|deleted|terminated|unrout\w+)\b|\b(?:unknown|no such|invalid|non-?existent|bad|inactive|unrout\w+) (?:\w+ ){0,2}(?:user|recipient|mail ?box|account|address|person|alias|customer)\b|\bno (?:mail ?box|user|account|one) (?:here )?(?:by|with) (?:that|this)\b|\b(?:host|domain)(?: name| it)?(?: \S+\.\S+)? (?:unknown|not found|does(?:n't| not) exist)\b|\bno such domain\b|\bno mx\b|\bit is no longer\b|\bdoes(?:n't| not) have an? \S+ account\b|\bunknown local part\b|\bvalidrcptto\b|\b(?:isn't|not) (?:a known|a valid|our) (?:user|recipient|customer|mail ?box|address)\b/,
  ],
  [
    // Exchange, of addresses that its directory does not have.
    'recipient',
    /\bresolver\.adr\b|\brecipient address rejected: access denied\. (?:as\(|\[)|\bmail ?box unavailable \(s\d/,
  ],
  [
    'recipient',
    /\b(?:usuario|destinatari[oa]|buzon|casilla|cuenta|direccion|adresse|benutzer|empfanger|utilisateur|destinataire)\b.{0,40}\b(?:no existe|desconocid[oa]|desconhecid[oa]|inexistente|no encontrad[oa]|(?:no |in)valid[oa]|unbekannt|inconnue?)\b/,
  ],
];

/** Returns what the reply is about, by the command that it answers, its enhanced code, its words and its basic code. */
export function faultOf(reply: SmtpReply): Fault {
  const fault = firstFaultOf(reply);
  return fault === 'sender' || isPermanent(reply) ? fault : 'later';
}

function firstFaultOf({ command, code, text }: SmtpReply): Fault {
  const enhanced = enhancedCode(text);
  const [, subject = '', detail = ''] = enhanced?.split('.') ?? [];
  const clear = EXCHANGE_BLOCKS.test(`${subject}.${detail}`) ? 'sender' : CLEAR_CODES[`${subject}.${detail}`];
  if (command !== 'RCPT TO' && command !== 'DATA') {
    // A message can be too big already by what is announced of it (RFC 1870).
    const isOfMessage =
      clear === 'message' || (code === 552 && enhanced === undefined && wordsOf(command, text) !== 'sender');
    return command === 'MAIL FROM' && isOfMessage ? 'message' : 'sender';
  }
  if (SENDER_REPLIES.includes(code)) return 'sender';
  if (clear !== undefined) return clear;
  const said = wordsOf(command, text);
  if (said !== undefined) return said;
  const open = OPEN_CODES[`${subject}.${detail}`] ?? OPEN_CODES[subject];
  return open ?? (command === 'RCPT TO' ? RECIPIENT_REPLIES[code] : undefined) ?? 'message';
}

/** Returns the enhanced status code, as `5.1.1`; qmail writes it at the end: `(#5.1.1)`. */
export function enhancedCode(text: string): string | undefined {
  const [, atStart, atEnd] =
    /^\d{3}[ -]([245]\.\d{1,3}\.\d{1,3})\b|#([245]\.\d{1,3}\.\d{1,3})\b/.exec(text) ?? [];
  return atStart ?? atEnd;
}

function isPermanent({ code, text }: SmtpReply): boolean {
  return code >= 500 && (enhancedCode(text) ?? '5').startsWith('5');
}

function wordsOf(command: string, text: string): Fault | undefined {
  const reply = text
    .replace(/^\d{3}[ -](?:\d\.\d{1,3}\.\d{1,3})?/gm, '')
    // What is in an address says nothing.
    .replace(/\S+@\S+/g, ' it ')
    .replace(/\s+/g, ' ')
    .replaceAll('’', "'")
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .trim();
  const words = `${command === 'DATA' ? 'data ' : ''}${reply}`.toLowerCase();
  return WORDS.find(([, pattern]) => pattern.test(words))?.[0];
}
