import type { BrowserContext } from '@playwright/test';
import { newerFeatures } from '../../web/scripts/newer-features.ts';

/** Also removed: what some supported browsers have only over https, outside of private windows, or in part. */
const NOT_EVERYWHERE = [
  'BroadcastChannel',
  'structuredClone',
  'requestIdleCallback',
  'scheduler',
  'CSS.supports',
  'Object.hasOwn',
  'Object.groupBy',
  'Intl.supportedValuesOf',
  'Intl.DurationFormat',
  'Intl.Segmenter',
  'AbortSignal.any',
  'AbortSignal.timeout',
  'Array.prototype.findLast',
  'Array.prototype.findLastIndex',
  'Crypto.prototype.randomUUID',
  'Navigator.prototype.serviceWorker',
  'Navigator.prototype.locks',
  'Navigator.prototype.storage',
  'Navigator.prototype.share',
  'Navigator.prototype.clipboard',
];

/** Takes from every page of a browser, before any script runs, what one of the oldest supported browsers lacks. */
export async function actAsOldest(context: BrowserContext): Promise<void> {
  const { globals, statics, ofInstances } = newerFeatures();
  const prototypes = [...ofInstances.keys()].map((name) => name.replace('.', '.prototype.'));
  const names = [...statics.keys(), ...prototypes, ...NOT_EVERYWHERE, ...globals.keys()];
  await context.addInitScript((paths: string[]) => {
    for (const path of paths) {
      const steps = path.split('.');
      const last = steps.pop() ?? '';
      const owner = steps.reduce<unknown>(
        (object, step) => (object instanceof Object ? Reflect.get(object, step) : undefined),
        globalThis,
      );
      if (owner instanceof Object) Reflect.deleteProperty(owner, last);
    }
  }, names);
}
