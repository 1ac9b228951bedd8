/**
 * Returns a function that hands items to `write`, several at once: what comes while one write is in progress goes into the next. Each
 * call settles as the write of its item does.
 */
export function createGatherer<Item>(write: (items: readonly Item[]) => Promise<void>) {
  let next: Promise<void> | undefined;
  let last: Promise<unknown> = Promise.resolve();
  let items: Item[] = [];

  async function writeNext(before: Promise<unknown>): Promise<void> {
    await before;
    const own = items;
    items = [];
    next = undefined;
    await write(own);
  }

  return (item: Item): Promise<void> => {
    items.push(item);
    if (!next) {
      next = writeNext(last);
      last = next.catch(() => undefined);
    }
    return next;
  };
}
