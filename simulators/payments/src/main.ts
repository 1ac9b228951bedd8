import { createLogger } from '@casewatch/service-kit/runtime/logger';
import { flag, integer, readSettings, setting } from '@casewatch/service-kit/settings/settings';
import { z } from 'zod';
import { startPaymentsSimulator } from './payments-simulator.ts';

const SETTINGS = {
  PAYMENTS_SIMULATOR_PORT: setting(integer(0, 65_535).default(8082), {
    description: 'Port; 0 takes a free one.',
  }),
  PAYMENTS_SIMULATOR_HOST: setting(z.string().min(1).default('127.0.0.1'), {
    description: 'Address to listen on.',
  }),
  PAYMENTS_SIMULATOR_CONTROL: setting(flag().default(false), {
    description: 'Whether to serve /__control.',
  }),
  PAYMENTS_SIMULATOR_CONTROL_FROM: setting(z.enum(['this-machine', 'anywhere']).default('this-machine'), {
    description: 'anywhere: whoever reaches the port may use /__control; for networks of your own only.',
  }),
  PAYMENTS_SIMULATOR_PUBLIC_URL: setting(z.url().optional(), {
    description: 'Where browsers reach it. Unset: where it listens.',
  }),
  PAYMENTS_SIMULATOR_STATE_FILE: setting(z.string().min(1).optional(), {
    description: 'Keeps everything over restarts. Unset: it ends with the process.',
  }),
  PAYMENTS_SIMULATOR_WEBHOOK_URL: setting(z.url().default('http://127.0.0.1:8080/api/webhooks/stripe'), {
    description: 'Where events go.',
  }),
  LOG_LEVEL: setting(z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'), {
    description: 'The least that is logged.',
  }),
  STRIPE_SECRET_KEY: setting(z.string().min(1), { description: 'Opens the whole API.', secret: true }),
  STRIPE_PUBLISHABLE_KEY: setting(z.string().startsWith('pk_'), {
    description: 'Opens what a browser may do.',
  }),
  STRIPE_WEBHOOK_SECRET: setting(z.string().min(1), { description: 'Signs events.', secret: true }),
};

try {
  await run();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}

async function run(): Promise<void> {
  const settings = readSettings(SETTINGS, process.env);
  const simulator = await startPaymentsSimulator({
    port: settings.PAYMENTS_SIMULATOR_PORT,
    host: settings.PAYMENTS_SIMULATOR_HOST,
    control: settings.PAYMENTS_SIMULATOR_CONTROL && settings.PAYMENTS_SIMULATOR_CONTROL_FROM,
    publicUrl: settings.PAYMENTS_SIMULATOR_PUBLIC_URL,
    stateFile: settings.PAYMENTS_SIMULATOR_STATE_FILE,
    webhookUrl: settings.PAYMENTS_SIMULATOR_WEBHOOK_URL,
    secretKey: settings.STRIPE_SECRET_KEY,
    publishableKey: settings.STRIPE_PUBLISHABLE_KEY,
    webhookSecret: settings.STRIPE_WEBHOOK_SECRET,
  });
  const logger = createLogger({ level: settings.LOG_LEVEL, name: 'payments-simulator' });
  logger.info({ url: simulator.url }, 'payments simulator is ready');
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void simulator.stop());
}
