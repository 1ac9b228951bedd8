import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { patiently } from './patiently.ts';
import { runPod } from './pod-actions.ts';
import type { Release } from './release.ts';
import { RELEASE } from './release-values.ts';

const program = readFileSync(new URL('load.mjs', import.meta.url), 'utf8');

/** How many callers of each kind; `load.mjs` says what they do. */
export interface LoadShape {
  kept: number;
  fresh: number;
  slow: number;
}

export type LoadResult = z.infer<typeof LoadResult>;
const LoadResult = z.object({
  requests: z.object({ kept: z.number(), fresh: z.number(), slow: z.number() }),
  failed: z.number(),
  /** What went wrong, and how often. */
  failures: z.record(z.string(), z.number()),
});

/** What is asked while pods come and go. */
export const PEOPLE: LoadShape = { kept: 3, fresh: 4, slow: 6 };
/** What the last pods that stop do is part of it. */
const AFTERWARDS_MS = 8_000;

/** Sends requests through the gateway's Service, from a pod called `name`, until `end`. Resolves when they flow. */
export async function startLoad(release: Release, shape: LoadShape = PEOPLE, name = 'load') {
  await runPod(release, name, {
    words: ['--input-type=module', '-e', program],
    env: {
      LOAD_URL: `http://${RELEASE}-gateway:8080`,
      LOAD_ORIGIN: release.origin,
      LOAD_KEPT: String(shape.kept),
      LOAD_FRESH: String(shape.fresh),
      LOAD_SLOW: String(shape.slow),
    },
  });
  await patiently('load has started', async () =>
    (await release.kubectl('logs', name)).includes('load started'),
  );
  return {
    end: async (): Promise<LoadResult> => {
      await pause(AFTERWARDS_MS);
      await release.kubectl('exec', name, '--', 'sh', '-c', 'kill -TERM 1');
      await release.kubectl(
        ...['wait', '--for=jsonpath={.status.phase}=Succeeded', `pod/${name}`, '--timeout=120s'],
      );
      const last = (await release.kubectl('logs', name)).trim().split('\n').at(-1) ?? '';
      return LoadResult.parse(JSON.parse(last));
    },
  };
}

export const sumOf = ({ requests }: LoadResult): number => requests.kept + requests.fresh + requests.slow;
