import { registerHooks } from 'node:module';
import { mutate, mutationsOf } from './mutation.ts';

/** Loaded before the program of a process: applies the changes given to `mutatedBy` to its sources. */
const mutations = mutationsOf(process.env);

registerHooks({
  load(url, context, nextLoad) {
    const mine = mutations.filter(({ file }) => url.endsWith(`/${file}`));
    const loaded = nextLoad(url, context);
    if (mine.length === 0) return loaded;
    return { ...loaded, source: mutate(textOf(loaded.source), mine) };
  },
});

function textOf(source: unknown): string {
  if (typeof source === 'string') return source;
  if (source instanceof Uint8Array) return new TextDecoder().decode(source);
  throw new Error('a module without a source can not be changed');
}
