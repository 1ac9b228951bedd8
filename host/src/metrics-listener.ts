import { type ListeningServer, listen } from '@casewatch/service-kit/http/http-server';
import { bareExpress } from '@casewatch/service-kit/http/service-app';
import type { Logger } from '@casewatch/service-kit/runtime/logger';
import type { SettingsOf } from '@casewatch/service-kit/settings/settings';
import type { RunningTelemetry } from '@casewatch/service-kit/telemetry/telemetry';
import type { hostSettings } from './config.ts';

/**
 * Returns where the metrics are read when METRICS_PORT is set: on a port of their own, so that clients of the product need
 * not be able to read them. Undefined without the setting.
 */
export async function listenForMetrics(options: {
  settings: SettingsOf<typeof hostSettings>;
  telemetry: RunningTelemetry;
  logger: Logger;
}): Promise<ListeningServer | undefined> {
  const { settings, telemetry, logger } = options;
  if (settings.METRICS_PORT === undefined) return undefined;
  const app = bareExpress();
  app.get('/metrics', (req, res) => telemetry.handleMetrics(req, res));
  app.use((_req, res) => {
    res.status(404).end();
  });
  const server = await listen(app, { host: settings.HOST, port: settings.METRICS_PORT });
  logger.info({ url: `${server.url}/metrics` }, 'metrics');
  return server;
}
