import type { Meter } from '@opentelemetry/api';
import { withTimeout } from '../runtime/lifecycle.ts';

/** What the processes probe. Providers, which only calls of people and jobs reach, are judged by the outcomes of these calls. */
export type Dependency = 'dns' | 'kafka' | 'postgresql' | 'redis';

/** Slower is as good as down: requests make several round trips. */
const ANSWER_WITHIN_MS = 1_000;

/** Probes a dependency at each scrape: 1 if it answers within a second, else 0, whatever the reason. */
export function measureDependency(meter: Meter, dependency: Dependency, probe: () => Promise<unknown>): void {
  meter
    .createObservableGauge('casewatch_dependency_up', {
      description: '1 if the dependency has answered this process within a second, else 0.',
    })
    .addCallback(async (result) => {
      const answer = withTimeout((async () => probe())(), ANSWER_WITHIN_MS, 'no answer within a second');
      result.observe(
        await answer.then(
          () => 1,
          () => 0,
        ),
        { dependency },
      );
    });
}
