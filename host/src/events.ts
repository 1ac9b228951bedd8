import type { ServiceName } from '@casewatch/contracts/route-contract';
import { measureBus } from '@casewatch/messaging/bus-levels';
import { createEventTelemetry } from '@casewatch/messaging/event-telemetry';
import type { OutboxHints } from '@casewatch/messaging/outbox-relay';
import type { RunningService, ServiceDefinition } from '@casewatch/service-definition/define-service';
import type { Clock } from '@casewatch/service-kit/runtime/clock';
import type { Stoppable } from '@casewatch/service-kit/runtime/lifecycle';
import type { Logger } from '@casewatch/service-kit/runtime/logger';
import { SettingsError, type SettingsOf } from '@casewatch/service-kit/settings/settings';
import type { Telemetry } from '@casewatch/service-kit/telemetry/telemetry';
import { kafkaConnectionOf, type kafkaSettings, measureClientCertificate } from './kafka-settings.ts';

export interface EventsOptions {
  settings: SettingsOf<typeof kafkaSettings>;
  running: ReadonlyMap<ServiceName, RunningService>;
  databaseUrlOf(service: ServiceName): string;
  directUrlOf(service: ServiceName): string;
  /** Of the services' publishers. */
  hints: OutboxHints;
  clock: Clock;
  logger: Logger;
  telemetry: Telemetry;
  /** Events can't be handled any more; the process should end. */
  onFatal(error: Error): void;
}

export interface RunningEvents extends Stoppable {
  /** False when only a new start can help. */
  alive(): boolean;
  /** @throws with the reason while this process should get no traffic yet. */
  requireReady(): void;
  /** Over Kafka: rejects while the brokers do not answer. */
  readonly kafka?: { brokers: readonly string[]; ping(): Promise<unknown> };
}

/** Of a bus that is idle by definition. */
const always = { alive: () => true, requireReady: () => undefined };

/** Starts the event bus of this process, over Kafka when brokers are set. */
export async function startEvents(options: EventsOptions): Promise<RunningEvents> {
  const { settings, running, databaseUrlOf, directUrlOf, clock, telemetry } = options;
  if (running.size === 0) return { name: 'event bus', stop: async () => undefined, ...always };
  const connection = kafkaConnectionOf(settings);
  const common = {
    logger: options.logger.child({ part: 'events' }),
    clock,
    sources: [...running.keys()].map((service) => ({
      service,
      databaseUrl: databaseUrlOf(service),
      directUrl: directUrlOf(service),
    })),
    handlers: [...running.values()].flatMap((service) => service.consumers),
    databaseUrlFor: databaseUrlOf,
    hints: options.hints,
    telemetry: createEventTelemetry(telemetry, connection ? 'kafka' : 'postgresql'),
  };
  // Each is loaded only where it is used.
  if (!connection) {
    const { startInProcessBus } = await import('@casewatch/messaging/in-process-bus');
    const bus = await startInProcessBus(common);
    measureBus(telemetry.meter, bus.levels);
    return { name: 'event bus', stop: bus.stop, ...always };
  }
  measureClientCertificate(telemetry.meter, settings);
  const { startKafkaBus } = await import('@casewatch/messaging/kafka/kafka-bus');
  const bus = await startKafkaBus({
    ...common,
    ...connection,
    clientId: `casewatch-${[...running.keys()].join('-')}`,
    topicPrefix: settings.KAFKA_TOPIC_PREFIX,
    partitions: settings.KAFKA_PARTITIONS,
    replicationFactor: settings.KAFKA_REPLICATION,
    minInSyncReplicas: settings.KAFKA_MIN_IN_SYNC_REPLICAS,
    onFatal: options.onFatal,
  });
  measureBus(telemetry.meter, bus.levels);
  return {
    name: 'event bus',
    stop: bus.stop,
    alive: bus.healthy,
    requireReady: bus.requireJoined,
    kafka: { brokers: connection.brokers, ping: bus.ping },
  };
}

/**
 * Services that are not all in this process exchange events through Kafka only.
 * @throws SettingsError when some run apart and no brokers are set, or their settings don't go together.
 */
export function requireEvents(
  settings: SettingsOf<typeof kafkaSettings>,
  here: readonly ServiceDefinition[],
  servicesInAll: number,
): void {
  if (kafkaConnectionOf(settings) || here.length === 0 || here.length === servicesInAll) return;
  throw new SettingsError([
    `KAFKA_BROKERS: is needed when ${here.map(({ name }) => name).join(', ')} runs apart from other services`,
  ]);
}
