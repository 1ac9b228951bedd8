import { readFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Meter } from '@opentelemetry/api';

const RESOLUTION_MS = 20;
/** Of the repository, or of the image. */
const PRODUCT = new URL('../../../../package.json', import.meta.url);

/** Measures the process, under the names of Prometheus' client libraries. Returns a function that stops it. */
export function measureProcess(meter: Meter): () => void {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  meter
    .createObservableGauge('process_resident_memory_bytes', { description: 'Memory in use (RSS).' })
    .addCallback((result) => result.observe(process.memoryUsage.rss()));
  const { version } = JSON.parse(readFileSync(PRODUCT, 'utf8'));
  meter
    .createObservableGauge('casewatch_build_info', {
      description: '1, with the version that the process runs.',
    })
    .addCallback((result) => result.observe(1, { version: String(version) }));
  const startedAtSeconds = Date.now() / 1e3 - process.uptime();
  meter
    .createObservableGauge('process_start_time_seconds', { description: 'When the process has started.' })
    .addCallback((result) => result.observe(startedAtSeconds));
  meter
    .createObservableCounter('process_cpu_seconds_total', {
      description: 'Processor time used, in user code and in the kernel.',
    })
    .addCallback((result) => {
      const { user, system } = process.cpuUsage();
      result.observe((user + system) / 1e6);
    });
  meter
    .createObservableGauge('nodejs_eventloop_lag_p99_seconds', {
      description: 'How late timers were since the last look; 99 of 100 less than this.',
    })
    .addCallback((result) => {
      // The histogram holds whole intervals: what is above the interval is the lag.
      const late = delay.percentile(99) / 1e9 - RESOLUTION_MS / 1e3;
      result.observe(Math.max(0, late || 0));
      delay.reset();
    });
  return () => delay.disable();
}
