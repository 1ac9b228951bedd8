import * as contract from '@casewatch/contracts/push-devices';
import { deviceName } from '@casewatch/service-kit/http/device-name';
import { type Route, route } from '@casewatch/service-kit/http/route';
import { noSuchDevice, type PushUse, saveDevice, testDevice } from '../domain/push-devices.ts';

/** Returns the routes, contract by contract with its use case, for the devices that get push messages. */
export function createPushRoutes(push: PushUse): Route[] {
  const { devices, pushing, clock } = push;
  return [
    route(contract.listPushDevices, async ({ caller }) => ({
      body: { publicKey: pushing?.publicKey ?? null, devices: await devices.list(caller.userId) },
    })),

    route(contract.savePushDevice, async ({ caller, body, request }) => {
      const { endpoint, keys, publicKey, language } = body;
      const { userId, sessionId } = caller;
      const name = deviceName(request.userAgent ?? '');
      const device = { endpoint, ...keys, publicKey, name, sessionId, language };
      return { body: await saveDevice(push, userId, device) };
    }),

    route(contract.changePushDevice, async ({ caller, params, body }) => {
      const changed = await devices.change(caller.userId, params.id, body.showReceiptNumbers);
      if (!changed) throw noSuchDevice();
      return { body: changed };
    }),

    route(contract.removePushDevice, async ({ caller, params }) => {
      if (!(await devices.remove(caller.userId, params.id, clock.nowMs()))) throw noSuchDevice();
      return { body: undefined };
    }),

    route(contract.testPushDevice, async ({ caller, params, request }) => ({
      body: { result: await testDevice(push, caller.userId, params.id, request.signal) },
    })),
  ];
}
