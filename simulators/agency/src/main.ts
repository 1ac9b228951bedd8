import { createLogger } from '@casewatch/service-kit/runtime/logger';
import { flag, integer, readSettings, setting } from '@casewatch/service-kit/settings/settings';
import { runSimulator } from '@casewatch/simulator-kit/run-simulator';
import { z } from 'zod';
import { DEFAULT_CALLS_PER_DAY, DEFAULT_CALLS_PER_SECOND, startAgencySimulator } from './agency-simulator.ts';
import { POPULATIONS } from './case-store.ts';

const SETTINGS = {
  AGENCY_SIMULATOR_PORT: setting(integer(0, 65_535).default(8081), {
    description: 'Port; 0 takes a free one.',
  }),
  AGENCY_SIMULATOR_HOST: setting(z.string().min(1).default('127.0.0.1'), {
    description: 'Address to listen on.',
  }),
  AGENCY_SIMULATOR_CONTROL: setting(flag().default(false), {
    description: 'Whether to serve /__control.',
  }),
  AGENCY_SIMULATOR_CONTROL_FROM: setting(z.enum(['this-machine', 'anywhere']).default('this-machine'), {
    description:
      'anywhere: every caller that reaches the port may use /__control; for private networks only.',
  }),
  AGENCY_SIMULATOR_CALLS_PER_SECOND: setting(integer(0).default(DEFAULT_CALLS_PER_SECOND), {
    description: 'Status calls let in within any one second.',
  }),
  AGENCY_SIMULATOR_CALLS_PER_DAY: setting(integer(0).default(DEFAULT_CALLS_PER_DAY), {
    description: 'Status calls let in per day, from midnight GMT.',
  }),
  AGENCY_SIMULATOR_OPENING_HOURS: setting(z.enum(['always', 'sandbox']).default('always'), {
    description: 'sandbox: Monday to Friday, 7:00 to 20:00 Eastern time.',
  }),
  AGENCY_SIMULATOR_POPULATION: setting(z.enum(POPULATIONS).default('made-up'), {
    description: 'sandbox: only the receipt numbers of the sandbox have a case.',
  }),
  LOG_LEVEL: setting(z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'), {
    description: 'Lowest level that is logged.',
  }),
  AGENCY_CLIENT_ID: setting(z.string().min(1), { description: 'The client id that gets tokens.' }),
  AGENCY_CLIENT_SECRET: setting(z.string().min(1), { description: 'Its secret.', secret: true }),
};

await runSimulator(async () => {
  const settings = readSettings(SETTINGS, process.env);
  const simulator = await startAgencySimulator({
    port: settings.AGENCY_SIMULATOR_PORT,
    host: settings.AGENCY_SIMULATOR_HOST,
    control: settings.AGENCY_SIMULATOR_CONTROL && settings.AGENCY_SIMULATOR_CONTROL_FROM,
    clientId: settings.AGENCY_CLIENT_ID,
    clientSecret: settings.AGENCY_CLIENT_SECRET,
    callsPerSecond: settings.AGENCY_SIMULATOR_CALLS_PER_SECOND,
    callsPerDay: settings.AGENCY_SIMULATOR_CALLS_PER_DAY,
    openingHours: settings.AGENCY_SIMULATOR_OPENING_HOURS,
    population: settings.AGENCY_SIMULATOR_POPULATION,
  });
  const logger = createLogger({ level: settings.LOG_LEVEL, name: 'agency-simulator' });
  logger.info({ url: simulator.url }, 'agency simulator is ready');
  return simulator;
});
