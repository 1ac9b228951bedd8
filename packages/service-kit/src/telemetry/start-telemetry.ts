import { DiagLogLevel, diag } from '@opentelemetry/api';
import { PrometheusExporter } from '@opentelemetry/exporter-prometheus';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  AggregationTemporality,
  type IMetricReader,
  InstrumentType,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import { ATTR_SERVICE_NAME } from '@opentelemetry/semantic-conventions';
import type { Logger } from '../runtime/logger.ts';
import { createThrottledWarning } from '../runtime/outage-log.ts';
import { measureProcess } from './process-metrics.ts';
import type { RunningTelemetry } from './telemetry.ts';
import { noTracing } from './tracing.ts';

export interface TelemetryOptions {
  /** Names the process in traces and in metrics that are sent: `casewatch-cases`. */
  process: string;
  /** Base URL of a collector that takes OTLP over HTTP; undefined sends nothing and makes no spans. */
  otlpEndpoint: string | undefined;
  /** The share of new traces that is kept, 0 to 1. */
  tracesRatio: number;
  /** How often spans are sent. */
  exportEveryMs?: number;
}

const MAX_ERROR_LENGTH = 300;
const EXPORT_SPANS_EVERY_MS = 2_000;
const EXPORT_METRICS_EVERY_MS = 60_000;
/** Longest that a stop waits for an unavailable collector. */
const SEND_WITHIN_MS = 3_000;

/** Begins to measure this process. What sends is loaded only where there is somewhere to send to. */
export async function startTelemetry(options: TelemetryOptions): Promise<RunningTelemetry> {
  const endpoint = options.otlpEndpoint?.replace(/\/+$/, '');
  const resource = resourceFromAttributes({ [ATTR_SERVICE_NAME]: options.process });
  // No server of its own: the host decides where metrics are read.
  const prometheus = new PrometheusExporter({
    preventServerStart: true,
    withoutScopeInfo: true,
    withoutTargetInfo: true,
  });
  const provider = new MeterProvider({
    resource,
    readers: [prometheus, ...(endpoint ? [await metricsSender(endpoint)] : [])].map(forgettingGauges),
  });
  const tracing = endpoint ? await tracesSender(endpoint) : undefined;
  const meter = provider.getMeter('casewatch');
  const stopMeasuring = measureProcess(meter);

  async function tracesSender(to: string) {
    const { startOtlpTracing } = await import('./otlp-tracing.ts');
    const exportEveryMs = options.exportEveryMs ?? EXPORT_SPANS_EVERY_MS;
    return startOtlpTracing({ endpoint: to, ratio: options.tracesRatio, resource, exportEveryMs });
  }

  return {
    meter,
    tracing: tracing ?? noTracing,
    handleMetrics: (req, res) => prometheus.getMetricsRequestHandler(req, res),
    async stop() {
      stopMeasuring();
      await Promise.all([provider.shutdown(), tracing?.stop()]);
    },
  };
}

/** Logs export failures, throttled. OpenTelemetry has one diagnostic logger for the whole process. */
export function reportTelemetryErrors(logger: Logger): void {
  const log = createThrottledWarning(
    logger.child({ part: 'telemetry' }),
    'metrics or traces are not sent as they should be',
  );
  const warn = (message: string) => log(new Error(message.slice(0, MAX_ERROR_LENGTH)));
  const ignore = () => undefined;
  diag.setLogger(
    { error: warn, warn: warn, info: ignore, debug: ignore, verbose: ignore },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  );
}

/**
 * A gauge that is not observed is left out: with the readers' own choice the SDK repeats its last value for ever, and an alert on it
 * neither falls silent nor is reported as blind.
 */
function forgettingGauges(reader: IMetricReader): IMetricReader {
  const select = reader.selectAggregationTemporality.bind(reader);
  reader.selectAggregationTemporality = (type) =>
    type === InstrumentType.OBSERVABLE_GAUGE ? AggregationTemporality.DELTA : select(type);
  return reader;
}

async function metricsSender(endpoint: string): Promise<IMetricReader> {
  const { OTLPMetricExporter } = await import('@opentelemetry/exporter-metrics-otlp-http');
  return new PeriodicExportingMetricReader({
    exporter: new OTLPMetricExporter({ url: `${endpoint}/v1/metrics`, timeoutMillis: SEND_WITHIN_MS }),
    exportIntervalMillis: EXPORT_METRICS_EVERY_MS,
  });
}
