import type { PushDevice } from '@casewatch/contracts/push-devices';
import { i18n } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
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
import { Button } from '../../components/button.tsx';
import { CheckField } from '../../components/check-field.tsx';
import { LoadFailure } from '../../components/load-failure.tsx';
import { Spinner } from '../../components/spinner.tsx';
import { useFailureToast, useToast } from '../../components/toast/toast-provider.tsx';
import { formatMoment } from '../../lib/format-moment.ts';

const TESTED = {
  sent: msg`We sent a test to this device.`,
  gone: msg`This device no longer accepts notifications, so it was removed from the list.`,
  failed: msg`The test could not be delivered. Try again in a few minutes.`,
};

/** Renders push notifications on this device, and the list of devices that get them; shown only where the server sends them (`isOffered`). */
export function PushCard({ userId, isOffered }: { userId: string; isOffered: boolean }) {
  const { data, error, isFetching, refetch } = usePushDevices();
  const client = useQueryClient();
  const toast = useToast();
  const fail = useFailureToast();
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
  if (data === undefined && isOffered)
    return isFetching ? <Spinner /> : <UnknownDevices error={error} onRetry={() => void refetch()} />;
  if (!data?.publicKey) return null;
  const { publicKey, devices } = data;
  const isOn = devices.some(({ id }) => id === currentId);

  /** Runs one action at a time, and says when it failed. */
  const run = async (action: () => Promise<void>, failure: string) => {
    setBusy(true);
    try {
      await action();
    } catch (error) {
      fail(error, failure);
    }
    setCurrentId(await thisDeviceId());
    await refreshPushDevices(client);
    setBusy(false);
    // The button is removed with what it did.
    heading.current?.focus();
  };
  const turnOn = () =>
    run(async () => {
      const result = await turnOnPush(userId, publicKey);
      setDenied(result === 'denied');
      if (result === 'on')
        toast({
          title: t({ message: 'Turned on', context: 'push' }),
          description: t`This device will notify you when a case’s status changes.`,
        });
    }, t`Notifications could not be turned on.`);
  const remove = (device: PushDevice) =>
    run(async () => {
      if (device.id === currentId) await turnOffPush();
      else await removePushDevice(device.id);
      const { name } = device;
      toast({
        title: t({ message: 'Removed', context: 'device' }),
        description: t`${name} won’t get notifications.`,
      });
    }, t`The device could not be removed.`);

  return (
    <section className="card profile-card" aria-labelledby="push-notifications">
      <h2 id="push-notifications" ref={heading} tabIndex={-1}>
        <Trans>Push notifications</Trans>
      </h2>
      <div className="profile-row">
        {isOn ? (
          <p>
            <Trans>They are on for this device, even when Casewatch is closed.</Trans>
          </p>
        ) : (
          <TurnOn ability={ability} isDenied={isDenied} isBusy={isBusy} onTurnOn={() => void turnOn()} />
        )}
      </div>
      {devices.length > 0 && (
        <div className="session-list">
          <h3>
            <Trans>Devices with notifications</Trans>
          </h3>
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

function UnknownDevices({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  return (
    <section className="card profile-card" aria-labelledby="push-notifications">
      <h2 id="push-notifications">
        <Trans>Push notifications</Trans>
      </h2>
      <LoadFailure className="profile-row" error={error} onRetry={onRetry} isPart>
        <p>
          <Trans>Your devices can’t be shown right now.</Trans>
        </p>
      </LoadFailure>
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
  if (ability === undefined) return <Spinner />;
  if (ability === 'install-first') {
    return (
      <p>
        <Trans>
          On an iPhone or iPad, first add Casewatch to your Home Screen: tap Share, then “Add to Home Screen”.
          Open it from there and come back to this page.
        </Trans>
      </p>
    );
  }
  if (ability === 'unsupported')
    return (
      <p>
        <Trans>This browser can’t show push notifications. Try another browser.</Trans>
      </p>
    );
  if (isDenied) {
    return (
      <p role="alert">
        <Trans>
          Notifications from Casewatch are blocked in this browser. Allow them in the browser’s settings for
          this site, then reload the page.
        </Trans>
      </p>
    );
  }
  return (
    <>
      <p>
        <Trans>
          Get a notification on this device when a case’s status changes, even when Casewatch is closed.
        </Trans>
      </p>
      <Button look="primary" disabled={isBusy} onClick={onTurnOn}>
        <Trans>Turn on for this device</Trans>
      </Button>
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
  const fail = useFailureToast();
  const { name } = device;
  const moment = formatMoment(device.addedAt);
  const added = t`added ${moment}`;
  return (
    <li>
      <div>
        <strong>{name}</strong>
        {isCurrent && (
          <span className="session-current">
            <Trans>This device</Trans>
          </span>
        )}
        <p>
          {added}
          {lastUse(device)}
        </p>
        <CheckField
          role="switch"
          label={t`Show receipt numbers`}
          hint={t`Notifications may show on the lock screen.`}
          checked={change.isPending ? change.variables.showReceiptNumbers : device.showReceiptNumbers}
          onChange={({ currentTarget: { checked } }) =>
            change.mutate(
              { id: device.id, showReceiptNumbers: checked },
              { onError: (error) => fail(error, t`Your choice could not be saved.`) },
            )
          }
        />
      </div>
      <div className="push-device-actions">
        <Button
          aria-label={t`Send a test to ${name}, ${added}`}
          disabled={test.isPending}
          onClick={() =>
            test.mutate(device.id, {
              onSuccess: ({ result }) =>
                toast({
                  title: result === 'sent' ? t`Test sent` : t`Test failed`,
                  description: i18n._(TESTED[result]),
                  ...(result === 'sent' ? {} : { variant: 'destructive' }),
                }),
              onError: (error) => fail(error, i18n._(TESTED.failed)),
            })
          }
        >
          <Trans>Send a test</Trans>
        </Button>
        <Button aria-label={t`Remove ${name}, ${added}`} disabled={isBusy} onClick={onRemove}>
          <Trans>Remove</Trans>
        </Button>
      </div>
    </li>
  );
}

function lastUse({ lastFailureAt, lastSuccessAt }: PushDevice): string {
  const moment = formatMoment(lastFailureAt ?? lastSuccessAt ?? '');
  if (lastFailureAt) return ` · ${t`last notification failed ${moment}`}`;
  return lastSuccessAt ? ` · ${t`last notification ${moment}`}` : '';
}
