import type { OwnTestKafka } from '@casewatch/dev-stack/kafka/kafka-server';
import type { ProductProcesses } from '@casewatch/dev-stack/processes/product-processes';

export interface DrilledProduct {
  product: ProductProcesses;
  kafka: OwnTestKafka;
  /** Sets how the simulated agency answers; undefined: as it should. */
  agencyFails(mode: string | undefined): Promise<void>;
  /** A user's lookup of a case that nothing stored can answer. */
  lookUp(): Promise<void>;
}

/** Breaks one thing, and repairs it as the alert's runbook says. */
export interface Drill {
  alert: string;
  breaks: string;
  break(of: DrilledProduct): Promise<void>;
  /** While it is waited for the alert. */
  meanwhile?(of: DrilledProduct): Promise<void>;
  /** The fix of the runbook. */
  fixes: string;
  fix(of: DrilledProduct): Promise<void>;
}

export const DRILLS: readonly Drill[] = [
  {
    alert: 'CasewatchRoleAway',
    breaks: 'the only process of surveys is killed',
    break: async ({ product }) => surveysOf(product).kill(),
    fixes: 'the last change is undone: the process starts again',
    fix: async ({ product }) => surveysOf(product).restart(),
  },
  {
    alert: 'CasewatchOutboxStuck',
    breaks: 'Kafka is killed, and a user looks a case up',
    break: async ({ kafka, lookUp }) => {
      await kafka.kill();
      await lookUp();
    },
    fixes: 'Kafka is restored; the relays publish what waits by themselves',
    fix: ({ kafka }) => kafka.restart(),
  },
  {
    alert: 'CasewatchAgencyFailing',
    breaks: 'the agency answers every call with an error',
    break: ({ agencyFails }) => agencyFails('unavailable'),
    meanwhile: ({ lookUp }) => lookUp(),
    fixes: 'the agency recovers; the circuit breaker tries again by itself',
    fix: async ({ agencyFails }) => agencyFails(undefined),
  },
];

function surveysOf(product: ProductProcesses) {
  const [surveys] = product.of('surveys');
  if (!surveys) throw new Error('there is no process of surveys');
  return surveys;
}
