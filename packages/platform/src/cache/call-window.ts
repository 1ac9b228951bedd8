/** How many calls may be under way, or have ended within the last `windowMs`, at once. */
export interface CallRule {
  /** Unique within the product; names what is called. */
  name: string;
  calls: number;
  windowMs: number;
  /** A call that has not ended after so long counts as ended: its process may be gone. */
  leaseMs: number;
}

export interface TakenPlaces {
  /** The places, to be given to `end` or `giveBack`; fewer than wanted when there are no more. */
  readonly places: readonly string[];
  /** Sooner there is no other place, when fewer were had than wanted. */
  readonly waitMs: number;
}

/** Places for calls, shared by every process. A place is taken until `windowMs` after its call has ended. */
export interface CallWindow {
  /**
   * Takes up to `wanted` places at once. While somebody's urgent wish is unmet, others get none.
   * @throws when the places can't be counted: then no call may be made
   */
  take(wanted: number, options: { urgent: boolean }): Promise<TakenPlaces>;
  /** The call in this place has ended now. Does not wait for the store: a place that it never hears of lapses. */
  end(place: string): void;
  /** There was no call in this place. Like `end` otherwise. */
  giveBack(place: string): void;
  /** Nobody gets a place for so long. A shorter pause does not shorten a longer one. Like `end` otherwise. */
  pause(ms: number): void;
}

export type CallWindows = (rule: CallRule) => CallWindow;
