import type { FileRows } from './read-rows.ts';

/** Reads a file apart from the page, which stays usable; what can't even be opened is damaged. */
export async function readFile(file: File): Promise<FileRows> {
  let bytes: Uint8Array;
  try {
    bytes = new Uint8Array(await file.arrayBuffer());
  } catch {
    return { problem: 'damaged' };
  }
  const worker = new Worker(new URL('./read-rows.worker.ts', import.meta.url), { type: 'module' });
  try {
    return await new Promise<FileRows>((resolve) => {
      worker.onmessage = ({ data }: MessageEvent<FileRows>) => resolve(data);
      worker.onerror = () => resolve({ problem: 'damaged' });
      worker.postMessage(bytes, [bytes.buffer]);
    });
  } finally {
    worker.terminate();
  }
}
