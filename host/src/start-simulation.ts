import path from 'node:path';
import type { Lifecycle } from '@casewatch/service-kit/runtime/lifecycle';
import type { SettingsOf } from '@casewatch/service-kit/settings/settings';
import type { hostSettings } from './config.ts';
import { simulatePayments } from './simulate-payments.ts';
import type { Simulation } from './simulation.ts';
import { startSimulators } from './simulators.ts';

/** Starts what is simulated, on loopback. What is started is added to `lifecycle`. */
export async function startSimulation(
  simulation: Simulation,
  options: {
    settings: SettingsOf<typeof hostSettings>;
    env: NodeJS.ProcessEnv;
    /** Keeps the state of payments over restarts, as the database does the rest. */
    folder: string;
    lifecycle: Lifecycle;
  },
) {
  const { settings, env, folder, lifecycle } = options;
  const agency = simulation.agency
    ? await startSimulators(env, settings.AGENCY_SIMULATOR_PORT, simulation.agencyControl)
    : undefined;
  for (const part of agency?.parts ?? []) lifecycle.add(part);
  const payments = simulation.payments
    ? await simulatePayments({
        port: settings.PAYMENTS_SIMULATOR_PORT,
        control: simulation.paymentsControl,
        publicUrl: settings.PAYMENTS_SIMULATOR_PUBLIC_URL,
        stateFile: path.join(folder, 'payments-simulator.json'),
      })
    : undefined;
  if (payments) lifecycle.add(payments.part);
  const mailbox = simulation.mailbox ? await openMailbox() : undefined;
  return {
    /** Settings that lead the services and browsers to what runs. */
    env: {
      ...agency?.env,
      ...payments?.env,
      ...mailbox?.env,
      DEMO_ACCOUNTS: env.DEMO_ACCOUNTS || String(simulation.demoAccounts),
    },
    agencyUrl: agency?.agencyUrl,
    paymentsUrl: payments?.url,
    mailboxUrl: mailbox?.url,
    /** From now on events of payments go to the product at this address; until then they wait. */
    productIsAt: (url: string) => payments?.productIsAt(url),
  };

  async function openMailbox() {
    // Loaded only where it is used.
    const { startMailbox } = await import('./mailbox.ts');
    const started = await startMailbox(settings.MAILBOX_PORT ?? 0);
    lifecycle.add({ name: 'mailbox', stop: started.stop });
    return started;
  }
}
