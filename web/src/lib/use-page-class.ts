import { useLayoutEffect } from 'react';

/** Marks the whole page with a class while the component is shown: Firefox before 121 has no `:has` for styles outside of it. */
export function usePageClass(name: string): void {
  useLayoutEffect(() => {
    document.documentElement.classList.add(name);
    return () => document.documentElement.classList.remove(name);
  }, [name]);
}
