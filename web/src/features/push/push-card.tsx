import type { PushDevice } from '@casewatch/contracts/push-devices';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { failureText } from '../../api/api-error.ts';
import {
  refreshPushDevices,
  removePushDevice,
  useChangePushDevice,
  usePushDevices,
  useTestPushDevice,
} from '../../api/push-devices.ts';
import {
  type PushAbility,
  pushAbility,
  thisDeviceId,
  turnOffPush,
  turnOnPush,
} from '../../api/push-subscription.ts';
import { CheckField } from '../../components/check-field.tsx';
import { useToast } from '../../components/toast/toast-provider.tsx';
import { formatMoment } from '../../lib/format-moment.ts';

const TESTED = {
  sent: 'A test is on its way to this device.',
  gone: 'This device no longer accepts notifications, so it was removed from the list.',
  failed: 'The test could not be delivered. Try again in a few minutes.',
};

/** Push notifications on this device, and the list of devices that get them; shown only where the server sends them. */
export function PushCard({ userId }: { userId: string }) {
  const { data } = usePushDevices();
  const client = useQueryClient();
  const toast = useToast();
  const heading = useRef<HTMLHeadingElement>(null);
  const [ability, setAbility] = useState<PushAbility>();
  const [currentId, setCurrentId] = useState<string>();
  const [isDenied, setDenied] = useState(
    () => 'Notification' in window && Notification.permission === 'denied',
  );
  const [isBusy, setBusy] = useState(false);
  useEffect(() => {
    void pushAbility().then(setAbility);
    void thisDeviceId().then(setCurrentId);
  }, []);
  if (!data?.publicKey) return null;
  const { publicKey, devices } = data;
  const isOn = devices.some(({ id }) => id === currentId);

  /** Runs one action at a time, and says when it failed. */
  const run = async (action: () => Promise<void>, failure: string) => {
    setBusy(true);
    try {
      await action();
    } catch (error) {
      toast({ title: 'Error', description: failureText(error, failure), variant: 'destructive', error });
    }
    setCurrentId(await thisDeviceId());
    await refreshPushDevices(client);
    setBusy(false);
    // The button is gone with what it did.
    heading.current?.focus();
  };
  const turnOn = () =>
    run(async () => {
      const result = await turnOnPush(userId, publicKey);
      setDenied(result === 'denied');
      if (result === 'on')
        toast({ title: 'Turned on', description: 'This device will notify you when a case moves.' });
    }, 'Notifications could not be turned on.');
  const remove = (device: PushDevice) =>
    run(async () => {
      if (device.id === currentId) await turnOffPush();
      else await removePushDevice(device.id);
      toast({ title: 'Removed', description: `${device.name} will get no more notifications.` });
    }, 'The device could not be removed.');

  return (
    <section className="card profile-card" aria-labelledby="push-notifications">
      <h2 id="push-notifications" ref={heading} tabIndex={-1}>
        Push notifications
      </h2>
      <div className="profile-row">
        {isOn ? (
          <p>They are on for this device, also while Casewatch is closed.</p>
        ) : (
          <TurnOn ability={ability} isDenied={isDenied} isBusy={isBusy} onTurnOn={() => void turnOn()} />
        )}
      </div>
      {devices.length > 0 && (
        <div className="session-list">
          <h3>Devices that get them</h3>
          <ul aria-live="polite">
            {devices.map((device) => (
              <DeviceItem
                key={device.id}
                device={device}
                isCurrent={device.id === currentId}
                isBusy={isBusy}
                onRemove={() => void remove(device)}
              />
            ))}
          </ul>
        </div>
      )}
    </section>
  );
}

interface TurnOnProps {
  ability: PushAbility | undefined;
  isDenied: boolean;
  isBusy: boolean;
  onTurnOn: () => void;
}

function TurnOn({ ability, isDenied, isBusy, onTurnOn }: TurnOnProps) {
  if (ability === undefined) return null;
  if (ability === 'install-first') {
    return (
      <p>
        On an iPhone or iPad, first add Casewatch to your Home Screen: tap Share, then “Add to Home Screen”.
        Open it from there and come back to this page.
      </p>
    );
  }
  if (ability === 'unsupported')
    return <p>This browser can’t show push notifications. Try another browser.</p>;
  if (isDenied) {
    return (
      <p role="alert">
        Notifications from Casewatch are blocked in this browser. Allow them in the browser’s settings for
        this site, then reload the page.
      </p>
    );
  }
  return (
    <>
      <p>Get a notification on this device when a case moves, also while Casewatch is closed.</p>
      <button type="button" className="btn btn-primary" disabled={isBusy} onClick={onTurnOn}>
        Turn on for this device
      </button>
    </>
  );
}

interface DeviceItemProps {
  device: PushDevice;
  isCurrent: boolean;
  isBusy: boolean;
  onRemove: () => void;
}

function DeviceItem({ device, isCurrent, isBusy, onRemove }: DeviceItemProps) {
  const test = useTestPushDevice();
  const change = useChangePushDevice();
  const toast = useToast();
  const failed = (error: unknown, text: string) =>
    toast({ title: 'Error', description: failureText(error, text), variant: 'destructive', error });
  const added = `added ${formatMoment(device.addedAt)}`;
  return (
    <li>
      <div>
        <strong>{device.name}</strong>
        {isCurrent && <span className="session-current">This device</span>}
        <p>
          {added}
          {device.lastFailureAt
            ? ` · last notification failed ${formatMoment(device.lastFailureAt)}`
            : device.lastSuccessAt && ` · last notification ${formatMoment(device.lastSuccessAt)}`}
        </p>
        <CheckField
          role="switch"
          label="Show receipt numbers"
          hint="Notifications can be read on the lock screen."
          checked={change.isPending ? change.variables.showReceiptNumbers : device.showReceiptNumbers}
          onChange={({ currentTarget: { checked } }) =>
            change.mutate(
              { id: device.id, showReceiptNumbers: checked },
              { onError: (error) => failed(error, 'Your choice could not be saved.') },
            )
          }
        />
      </div>
      <div className="push-device-actions">
        <button
          type="button"
          className="btn btn-outline-secondary btn-sm"
          aria-label={`Send a test to ${device.name}, ${added}`}
          disabled={test.isPending}
          onClick={() =>
            test.mutate(device.id, {
              onSuccess: ({ result }) =>
                toast({
                  title: result === 'sent' ? 'Test sent' : 'Test failed',
                  description: TESTED[result],
                  ...(result === 'sent' ? {} : { variant: 'destructive' }),
                }),
              onError: (error) => failed(error, TESTED.failed),
            })
          }
        >
          Send a test
        </button>
        <button
          type="button"
          className="btn btn-outline-secondary btn-sm"
          aria-label={`Remove ${device.name}, ${added}`}
          disabled={isBusy}
          onClick={onRemove}
        >
          Remove
        </button>
      </div>
    </li>
  );
}
