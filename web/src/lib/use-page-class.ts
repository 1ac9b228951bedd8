import { useLayoutEffect } from 'react';

/** Marks the whole page with a class while the component is shown, or while `isOn`: Firefox before 121 has no `:has` for styles outside of it. */
export function usePageClass(name: string, isOn = true): void {
  useLayoutEffect(() => {
    document.documentElement.classList.toggle(name, isOn);
    return () => document.documentElement.classList.remove(name);
  }, [name, isOn]);
}
