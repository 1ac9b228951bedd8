import type { ServiceClient } from '@casewatch/service-kit/http/service-client';
import type { Clock } from '@casewatch/service-kit/runtime/clock';
import type { Logger } from '@casewatch/service-kit/runtime/logger';
import type { DueDelivery } from './delivery-log.ts';
import type { Prepared } from './send-due-deliveries.ts';
import type { PushTarget } from './send-push.ts';

/** A device that a message goes to, and what its user allows there. */
export interface PushedDevice extends PushTarget {
  readonly publicKey: string;
  readonly showReceiptNumbers: boolean;
}

/** What the preparation of messages to devices needs. */
export interface PushParts {
  services: ServiceClient;
  publicKey: string;
  isAllowed: (endpoint: string) => boolean;
  clock: Clock;
  logger: Logger;
}

/** Leaves out what can't be sent to its device, with a word for the reason. */
export function checkDevices<Due extends DueDelivery & { readonly device: PushedDevice }>(
  { publicKey, isAllowed }: PushParts,
  due: readonly Due[],
  isSuperseded: (one: Due) => boolean = () => false,
): { sendable: Due[]; refused: Prepared<Due, unknown>['dropped'] } {
  const sendable: Due[] = [];
  const refused: { due: Due; reason: string }[] = [];
  for (const one of due) {
    if (isSuperseded(one)) refused.push({ due: one, reason: 'superseded' });
    // The device subscribes with the new one when the product is opened there.
    else if (one.device.publicKey !== publicKey) refused.push({ due: one, reason: 'other-key' });
    else if (!isAllowed(one.device.endpoint)) refused.push({ due: one, reason: 'host-not-allowed' });
    else sendable.push(one);
  }
  return { sendable, refused };
}
