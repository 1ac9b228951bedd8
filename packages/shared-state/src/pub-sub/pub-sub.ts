/** Messages between the processes of the product. Delivery is at most once: a subscriber that is disconnected misses them. */
export interface PubSub {
  /** Publishes without waiting; a failure is logged. */
  publish(channel: string, message: string): void;
  subscribe(channel: string, listener: ChannelListener): ChannelSubscription;
}

export interface ChannelListener {
  onMessage(message: string): void;
  /** Messages may have been missed. Also called when the subscription begins. */
  onGap(): void;
}

export interface ChannelSubscription {
  /** False while messages may be missed. */
  isSubscribed(): boolean;
  stop(): void;
}
