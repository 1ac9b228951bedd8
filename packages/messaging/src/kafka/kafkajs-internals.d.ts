declare module 'kafkajs/src/network/requestQueue/index.js' {
  export interface RequestQueue {
    pending: readonly unknown[];
    scheduleCheckPendingRequests(this: RequestQueue): void;
  }
  const requestQueueClass: { readonly prototype: RequestQueue };
  export default requestQueueClass;
}

declare module 'kafkajs/src/cluster/brokerPool.js' {
  export type BrokerCallback = (on: { nodeId: string; broker: unknown }) => Promise<unknown>;
  export interface BrokerPool {
    withBroker(callback: BrokerCallback): Promise<unknown>;
  }
  const brokerPoolClass: { readonly prototype: BrokerPool };
  export default brokerPoolClass;
}

declare module 'kafkajs/src/consumer/consumerGroup.js' {
  export interface ConsumerGroup {
    maxWaitTime: number;
    readonly sessionTimeout: number;
    fetch(this: ConsumerGroup, nodeId: string): Promise<readonly { isEmpty(): boolean }[]>;
  }
  const consumerGroupClass: { readonly prototype: ConsumerGroup };
  export default consumerGroupClass;
}
