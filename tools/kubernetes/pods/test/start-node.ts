import type { TestProject } from 'vitest/node';
import { startOutsideServices } from '../src/outside-services.ts';
import { patiently } from '../src/patiently.ts';
import { makePodImages } from '../src/pod-images.ts';
import { startRealNode } from '../src/real-node.ts';
import { NAMESPACE, type OutsideAddresses, secretManifests } from '../src/release-values.ts';

declare module 'vitest' {
  interface ProvidedContext {
    outside: OutsideAddresses;
  }
}

/** Once for all files: images, the node, what runs outside it, and a namespace with secrets that takes restricted pods only. */
export default async function startNode({ provide }: TestProject): Promise<() => Promise<void>> {
  const started: { stop(): Promise<unknown> }[] = [];
  const stop = async () => {
    for (const part of started.toReversed()) await part.stop();
  };
  try {
    const laps = stopwatch();
    const images = await makePodImages();
    started.push({ stop: async () => images.remove() });
    laps('images');
    const node = await startRealNode(images.archives);
    started.push(node);
    laps('node');
    const outside = await startOutsideServices();
    started.push(outside);
    laps('PostgreSQL, Kafka, Redis');
    await node.kubectl(['create', 'namespace', NAMESPACE]);
    await node.kubectl(['label', 'namespace', NAMESPACE, 'pod-security.kubernetes.io/enforce=restricted']);
    const account = ['-n', NAMESPACE, 'get', 'serviceaccount', 'default', '-o', 'name'];
    await patiently('there is a default account', async () => (await node.kubectl(account)) !== '');
    const { stop: _, ...addresses } = outside;
    await node.kubectl(['apply', '-f', '-'], secretManifests(addresses));
    provide('outside', addresses);
    return stop;
  } catch (error) {
    await stop();
    throw error;
  }
}

function stopwatch(): (what: string) => void {
  let since = performance.now();
  return (what) => {
    const now = performance.now();
    console.log(`${what}: ${((now - since) / 1000).toFixed(0)} s`);
    since = now;
  };
}
