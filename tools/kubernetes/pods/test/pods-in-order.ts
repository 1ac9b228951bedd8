import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The first two go from nothing back to nothing; each of the others brings the release to where it begins, and leaves it there. */
const ORDER = ['install', 'guide', 'network', 'upgrade', 'faults', 'scaling'];
const placeOf = ({ moduleId }: TestSpecification) =>
  ORDER.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`));

/** Runs the pods' files one after the other, in their order. */
export class PodsInOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return files.toSorted((a, b) => placeOf(a) - placeOf(b));
  }
}
