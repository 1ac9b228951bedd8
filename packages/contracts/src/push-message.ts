import type { Language } from './languages.ts';

/**
 * What a push message says, before it is encrypted. The service worker loads this file, so that it is without zod. At most
 * 3,000 bytes as JSON: push services take 4,096, encrypted.
 */
export type PushMessage = StatusPush | TextPush;

interface EveryPush {
  /** Of the notification; the same for each attempt, so that repeats are detected. */
  readonly id: string;
  /** Messages with the same tag replace each other on the device. */
  readonly tag: string;
  /** When the notification was made, in milliseconds: an older one never replaces a newer one. */
  readonly at: number;
  /** The page of the web app that a click opens. */
  readonly path: string;
  /** Of its texts, for the words around them. */
  readonly language: Language;
}

export interface StatusPush extends EveryPush {
  readonly kind: 'status';
  /** What the user calls the case; else its form; else empty. */
  readonly name: string;
  readonly oldStatus: string | null;
  readonly newStatus: string;
  /** What the new status means, in plain language; empty for a status that the product does not know and that asks nothing. */
  readonly means: string;
  /** The next step; of a status that needs action alone. */
  readonly todo?: string;
  /** Only to devices whose user allows it. */
  readonly receiptNumber?: string;
}

export interface TextPush extends EveryPush {
  /** `digest`: what was collected for a day or a week; `date`: a reminder. */
  readonly kind: 'plan' | 'test' | 'digest' | 'date';
  readonly title: string;
  readonly text: string;
}
