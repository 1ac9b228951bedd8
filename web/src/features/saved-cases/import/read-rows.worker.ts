import { readRows } from './read-rows.ts';

self.onmessage = async ({ data }: MessageEvent<Uint8Array>) => self.postMessage(await readRows(data));
