import { type Language, preferredLanguage } from '@casewatch/contracts/languages';
import { pushDeviceId } from '@casewatch/contracts/push-device-id';
import { i18n } from '@lingui/core';
import { WORKER_FILE } from '../config/product.ts';
import { needsHomeScreen } from '../lib/install-offer.ts';
import { PUSH_USER_KEY } from '../lib/kept-mark.ts';
import { fetchPushDevices, removePushDevice, savePushDevice } from './push-devices.ts';

export type PushAbility = 'able' | 'unsupported' | 'install-first';

/** Returns whether this browser can get push messages. On an iPhone only an app on the Home Screen can (iOS 16.4). */
export async function pushAbility(): Promise<PushAbility> {
  if (needsHomeScreen()) return 'install-first';
  const hasApis = 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window;
  return hasApis && (await registered()) ? 'able' : 'unsupported';
}

/** Returns the id under which the product knows this browser; undefined while it is not subscribed. */
export async function thisDeviceId(): Promise<string | undefined> {
  const subscription = await currentSubscription();
  return subscription ? pushDeviceId(subscription.endpoint) : undefined;
}

/** Asks the user for permission, and subscribes. Call it in the handler of a click: browsers refuse it anywhere else. */
export async function turnOnPush(userId: string, publicKey: string): Promise<'on' | 'denied' | 'dismissed'> {
  const permission = await Notification.requestPermission();
  if (permission !== 'granted') return permission === 'denied' ? 'denied' : 'dismissed';
  await alone(async () => {
    await subscribe(publicKey);
    localStorage.setItem(PUSH_USER_KEY, userId);
  });
  return 'on';
}

/** Ends this browser's subscription, with the product and with the browser. Without one it does nothing. */
export const turnOffPush = (): Promise<void> => alone(turnOff);

async function turnOff(): Promise<void> {
  localStorage.removeItem(PUSH_USER_KEY);
  const subscription = await currentSubscription();
  if (!subscription) return;
  // One that the product does not know of is removed all the same once the browser has dropped it.
  await removePushDevice(await pushDeviceId(subscription.endpoint)).catch(() => undefined);
  await subscription.unsubscribe();
}

/**
 * Makes the subscription right when the app opens and when its language changes: subscribes again where the browser has lost
 * it or the product has a new key, drops one of another user, or one that was removed on another device, and says in which
 * language messages are to come.
 */
export const resyncPush = (userId: string): Promise<void> => alone(() => resync(userId));

/** Runs one change of the subscription at a time, in all tabs where the browser has locks. */
const alone = (work: () => Promise<void>): Promise<void> =>
  'locks' in navigator ? navigator.locks.request('casewatch-push', work) : work();

async function resync(userId: string): Promise<void> {
  const subscribedFor = localStorage.getItem(PUSH_USER_KEY);
  if (subscribedFor === null && !(await currentSubscription())) return;
  if (subscribedFor !== userId) return turnOff();
  if (Notification.permission !== 'granted' || !(await registration())) return;
  const { publicKey, devices } = await fetchPushDevices();
  if (publicKey === null) return;
  const subscription = await currentSubscription();
  if (subscription && keyOf(subscription) === publicKey) {
    const id = await pushDeviceId(subscription.endpoint);
    if (!devices.some((device) => device.id === id)) return turnOff();
    // In the session and the language of now: when that session is ended from another device, the messages end with it.
    await savePushDevice(subscription, publicKey, shownLanguage());
    return;
  }
  if (subscription) {
    await turnOff();
    localStorage.setItem(PUSH_USER_KEY, userId);
  }
  await subscribe(publicKey);
}

async function subscribe(publicKey: string): Promise<void> {
  const worker = await registered();
  if (!worker) throw new Error('there is no service worker');
  await activated(worker);
  const known = await worker.pushManager.getSubscription();
  // A browser refuses another key while it has a subscription.
  if (known && keyOf(known) !== publicKey) await known.unsubscribe();
  const subscription = await worker.pushManager.subscribe({
    userVisibleOnly: true,
    applicationServerKey: publicKey,
  });
  try {
    await savePushDevice(subscription, publicKey, shownLanguage());
  } catch (error) {
    // The next time the app opens, it would be taken for one that was removed on another device.
    await subscription.unsubscribe();
    throw error;
  }
}

/** The app's worker, also on a first load that has not come to register it yet; undefined where the browser refuses it. */
async function registered(): Promise<ServiceWorkerRegistration | undefined> {
  try {
    return (await registration()) ?? (await navigator.serviceWorker.register(WORKER_FILE));
  } catch {
    return undefined;
  }
}

/** Waits while the first worker fetches its files: before it is active, the browser refuses to subscribe. */
async function activated({ active, installing, waiting }: ServiceWorkerRegistration): Promise<void> {
  const worker = installing ?? waiting;
  if (active || !worker) return;
  await new Promise<void>((resolve, reject) => {
    worker.addEventListener('statechange', () => {
      if (worker.state === 'activated') resolve();
      if (worker.state === 'redundant') reject(new Error('the service worker could not be installed'));
    });
  });
}

/** The language that the app is shown in. */
const shownLanguage = (): Language => preferredLanguage([i18n.locale]);

async function registration(): Promise<ServiceWorkerRegistration | undefined> {
  return 'serviceWorker' in navigator ? navigator.serviceWorker.getRegistration() : undefined;
}

async function currentSubscription(): Promise<PushSubscription | null> {
  return (await (await registration())?.pushManager?.getSubscription()) ?? null;
}

/** Base64url; empty without a key. */
function keyOf({ options }: PushSubscription): string {
  const key = new Uint8Array(options.applicationServerKey ?? []);
  const text = btoa(String.fromCharCode(...key));
  return text.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}
