import { listen } from '@casewatch/service-kit/http/http-server';
import { startTelemetry, type TelemetryOptions } from '@casewatch/service-kit/telemetry/start-telemetry';

/** Starts telemetry as a process has it, and its metrics as a scraper reads them. */
export async function startScraped(options: Partial<TelemetryOptions> = {}) {
  const telemetry = await startTelemetry({
    process: 'casewatch-test',
    otlpEndpoint: undefined,
    tracesRatio: 1,
    ...options,
  });
  const server = await listen(telemetry.handleMetrics, { host: '127.0.0.1', port: 0 });
  return {
    ...telemetry,
    /** Values by name and labels, as they are written. */
    async scrape(): Promise<Record<string, number>> {
      const text = await (await fetch(server.url)).text();
      const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
      return Object.fromEntries(
        lines.map((line) => {
          const at = line.lastIndexOf(' ');
          return [line.slice(0, at), Number(line.slice(at + 1))];
        }),
      );
    },
    async stop() {
      await server.drain();
      await telemetry.stop();
    },
  };
}
