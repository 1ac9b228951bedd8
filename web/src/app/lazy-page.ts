import { type ComponentType, lazy } from 'react';

/** A screen that is loaded when first shown, or before: `preload` starts the download and may be called often. */
export function lazyPage<Props extends object = object>(load: () => Promise<ComponentType<Props>>) {
  const Page = lazy(async () => ({ default: await load() }));
  // A download that fails here fails again, and is reported, when the screen is shown.
  const preload = () => void load().catch(() => undefined);
  return { Page, preload };
}
