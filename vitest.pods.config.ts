import { defineConfig, mergeConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import base from './vitest.config.ts';

/** From nothing, and back to nothing; each of the others brings the release to where it begins, and leaves it there. */
const ORDER = ['install', 'network', 'upgrade', 'faults', 'scaling'];
const placeOf = ({ moduleId }: TestSpecification) =>
  ORDER.findIndex((name) => moduleId.endsWith(`/${name}.pods.ts`));

class InOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return files.toSorted((a, b) => placeOf(a) - placeOf(b));
  }
}

/** `npm run test:cluster:pods`: the image and the chart on a real node with real pods. Linux, as root. */
export default mergeConfig(
  { ...base, test: { ...base.test, include: [], globalSetup: [] } },
  defineConfig({
    test: {
      include: ['tools/kubernetes/pods/test/*.pods.ts'],
      globalSetup: ['tools/kubernetes/pods/test/start-node.ts'],
      fileParallelism: false,
      sequence: { sequencer: InOrder },
      testTimeout: 60_000,
    },
  }),
);
