import { LOG_VIEW_NAME_MAX, LOG_VIEWS_MAX } from '@casewatch/contracts/limits';
import type { LogView } from '@casewatch/contracts/log-views';
import { useEffect, useState } from 'react';

/** A view without the account that it may be saved in. */
export type NamedView = Omit<LogView, 'id'>;

const KEY = 'admin-log-views';

/** Returns the views that this browser keeps, for every sign-in; what another tab changes is shown, and never overwritten. */
export function useBrowserViews() {
  const [views, setViews] = useState(readViews);
  useEffect(() => {
    const read = (event: StorageEvent) => {
      if (event.key === KEY || event.key === null) setViews(readViews());
    };
    addEventListener('storage', read);
    return () => removeEventListener('storage', read);
  }, []);
  const change = (toNext: (kept: readonly NamedView[]) => readonly NamedView[]) => {
    const next = toNext(readViews()).slice(-LOG_VIEWS_MAX);
    setViews(next);
    try {
      localStorage.setItem(KEY, JSON.stringify(next));
    } catch {
      // A browser that keeps nothing shows them until it is reloaded.
    }
  };
  return {
    views,
    save: (view: NamedView) => change((kept) => [...kept.filter(({ name }) => name !== view.name), view]),
    remove: (removed: readonly NamedView[]) =>
      change((kept) => kept.filter((view) => !removed.some((one) => isSame(one, view)))),
  };
}

/** Returns the browser's views as an account takes them: one whose name has another view there gets a name that is free. */
export function renamedFor(account: readonly NamedView[], views: readonly NamedView[]): NamedView[] {
  const taken = new Map([...account, ...views].map(({ name, query }) => [name, query]));
  for (const { name, query } of account) taken.set(name, query);
  return views.map((view) => {
    let { name } = view;
    for (let nth = 2; taken.has(name) && taken.get(name) !== view.query; nth++) {
      const ending = ` (${nth})`;
      name = `${view.name.slice(0, LOG_VIEW_NAME_MAX - ending.length)}${ending}`;
    }
    taken.set(name, view.query);
    return { name, query: view.query };
  });
}

const isSame = (a: NamedView, b: NamedView) => a.name === b.name && a.query === b.query;

function readViews(): readonly NamedView[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? 'null');
    return Array.isArray(kept) ? kept.filter(isView) : [];
  } catch {
    return [];
  }
}

function isView(value: unknown): value is NamedView {
  return (
    typeof value === 'object' &&
    value !== null &&
    'name' in value &&
    typeof value.name === 'string' &&
    'query' in value &&
    typeof value.query === 'string'
  );
}
