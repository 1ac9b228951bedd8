import { isLoopback, isOutsideLoopback } from '@casewatch/service-kit/settings/loopback';
import { SettingsError, type SettingsOf } from '@casewatch/service-kit/settings/settings';
import type { hostSettings, SimulatorName } from './config.ts';

/** What stands in for the world outside. */
export interface Simulation {
  readonly agency: boolean;
  readonly payments: boolean;
  readonly mailbox: boolean;
  /** Whether the simulators' control APIs answer. */
  readonly agencyControl: boolean;
  readonly paymentsControl: boolean;
  /** Accounts whose password everyone knows. */
  readonly demoAccounts: boolean;
  /** People on other machines may reach the product. */
  readonly isOutside: boolean;
}

/** The setting that makes each part the real one. */
const REAL: Record<SimulatorName, string> = {
  agency: 'AGENCY_CLIENT_ID',
  payments: 'STRIPE_SECRET_KEY',
  mailbox: 'SMTP_URL',
};

/**
 * Decides what is simulated: the parts that SIMULATORS names; without it, on loopback alone, those whose real ones are not set.
 * Outside loopback a part that is missing turns its feature off, and what makes evaluation easy needs its own setting.
 * @throws SettingsError where no agency is left, or where SIMULATORS contradicts other settings
 */
export function chooseSimulation(
  settings: SettingsOf<typeof hostSettings>,
  env: NodeJS.ProcessEnv,
): Simulation {
  const { PUBLIC_URL, TRUST_PROXY_HOPS } = env;
  const isOutside = isOutsideLoopback({ HOST: settings.HOST, PUBLIC_URL, TRUST_PROXY_HOPS });
  const named = settings.SIMULATORS;
  const isSimulated = (part: SimulatorName) =>
    named ? named.includes(part) : !isOutside && !env[REAL[part]];
  const agency = isSimulated('agency');
  const payments = isSimulated('payments');
  // Unless it is named, never for real users of a real agency: they would wait for e-mails that are not delivered.
  const mailbox = named
    ? isSimulated('mailbox')
    : agency && isSimulated('mailbox') && settings.MAILBOX_PORT !== undefined;
  requireConsistency({ settings, env, agency, payments });
  return {
    agency,
    payments,
    mailbox,
    agencyControl: settings.AGENCY_SIMULATOR_CONTROL ?? !isOutside,
    paymentsControl: settings.PAYMENTS_SIMULATOR_CONTROL ?? !isOutside,
    demoAccounts: agency && !isOutside,
    isOutside,
  };
}

function requireConsistency({
  settings,
  env,
  agency,
  payments,
}: {
  settings: SettingsOf<typeof hostSettings>;
  env: NodeJS.ProcessEnv;
  agency: boolean;
  payments: boolean;
}): void {
  const problems = (settings.SIMULATORS ?? [])
    .filter((part) => env[REAL[part]])
    .map((part) => `SIMULATORS: names ${part}, but ${REAL[part]} is set for the real one; unset one of them`);
  if (!agency && !env.AGENCY_CLIENT_ID) {
    problems.push(
      'AGENCY_CLIENT_ID: is needed, with AGENCY_CLIENT_SECRET and AGENCY_BASE_URL; to try out the product with simulators, set SIMULATORS=agency,payments,mailbox',
    );
  }
  if (agency && env.AGENCY_NEXT_CLIENT_ID) {
    problems.push(
      'AGENCY_NEXT_CLIENT_ID: is set, but the agency is simulated; set AGENCY_CLIENT_ID, too, or unset it',
    );
  }
  const browsersFindIt = settings.PAYMENTS_SIMULATOR_PUBLIC_URL ?? 'http://localhost';
  if (
    payments &&
    isOutsideLoopback({ PUBLIC_URL: env.PUBLIC_URL }) &&
    isLoopback(new URL(browsersFindIt).hostname)
  ) {
    problems.push(
      'PAYMENTS_SIMULATOR_PUBLIC_URL: is needed where PUBLIC_URL is not on this machine: pages load the script of the payments simulator from there',
    );
  }
  if (problems.length > 0) throw new SettingsError(problems);
}
