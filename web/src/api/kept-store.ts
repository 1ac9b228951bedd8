import { createStore, type UseStore } from 'idb-keyval';

const database = createStore('casewatch', 'kept');

/**
 * What this device keeps of one user; made when first used. Each transaction is committed as soon as its requests stand: Safari
 * stops a page that is left as it is, and one that it stops in the middle of a transaction keeps every other page waiting.
 */
export const keptStore: UseStore = (mode, place) =>
  database(mode, (store) => {
    const placed = place(store);
    store.transaction.commit();
    return placed;
  });

/** Changes a value in one transaction with reading it; leaving the page in between changes nothing. @throws when the browser keeps nothing */
export function changeKept<Value>(key: string, change: (before: Value | undefined) => Value): Promise<void> {
  return database('readwrite', (store) => {
    const { transaction } = store;
    const leave = () => transaction.abort();
    const reading: IDBRequest<Value | undefined> = store.get(key);
    addEventListener('pagehide', leave);
    reading.onsuccess = () => {
      removeEventListener('pagehide', leave);
      store.put(change(reading.result), key);
      transaction.commit();
    };
    return new Promise<void>((resolve, reject) => {
      transaction.oncomplete = () => resolve();
      transaction.onabort = () => {
        removeEventListener('pagehide', leave);
        reject(transaction.error ?? new DOMException('The page was left', 'AbortError'));
      };
    });
  });
}
