import type { IncomingMessage, ServerResponse } from 'node:http';
import { createNoopMeter, type Meter } from '@opentelemetry/api';
import { noTracing, type Tracing } from './tracing.ts';

export type { Counter, Histogram, Meter } from '@opentelemetry/api';

/** What a part of the product measures itself with. */
export interface Telemetry {
  readonly meter: Meter;
  readonly tracing: Tracing;
}

/** Telemetry of a whole process. */
export interface RunningTelemetry extends Telemetry {
  /** Answers with every metric in Prometheus' text format. */
  handleMetrics(req: IncomingMessage, res: ServerResponse): void;
  /** Exports what is buffered, as far as the collector accepts it. */
  stop(): Promise<void>;
}

/** Measures nothing. */
export const noTelemetry: Telemetry = { meter: createNoopMeter(), tracing: noTracing };
