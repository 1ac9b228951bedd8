import { generateKeyPairSync, randomBytes } from 'node:crypto';
import type { ServiceName } from '@casewatch/contracts/route-contract';
import { type MigrationSource, migrate } from '@casewatch/service-definition/migrate';
import { serviceUrl } from '@casewatch/service-kit/database/service-url';
import { urlSettingOf } from '@casewatch/service-kit/settings/settings';
import { pino } from 'pino';
import { freePort } from '../free-port.ts';
import { type AgencyProcess, type AgencyProcessOptions, startAgencyProcess } from './agency-process.ts';
import { type ProductProcess, startProductProcess } from './product-process.ts';
import { startTcpBalancer, type TcpBalancer } from './tcp-balancer.ts';

/** Secret from which database passwords are derived by default. */
export const DEFAULT_ROLE_SECRET = 'test-roles';

export type Role = ServiceName | 'gateway';

export interface RoleOptions {
  /** How many processes of this role; 1 unless given, 0 leaves it out. */
  replicas?: number;
  /** Settings of this role alone; they win over all others. */
  env?: Record<string, string>;
}

export interface ProductProcessesOptions {
  /** The host's registry: one role each, besides the gateway. Their schemas are migrated first. */
  services: readonly MigrationSource[];
  /** URL of the schemas' owner. Every role gets a database role of its own on it. */
  ownerUrl: string;
  roleSecret?: string;
  /** `host:port` of each Kafka broker. */
  brokers: readonly string[];
  redisUrl?: string | undefined;
  /** A simulator as a process of its own; false: `env` says where the agency is. */
  agency?: AgencyProcessOptions | false;
  roles?: Partial<Record<Role, RoleOptions>>;
  /** Settings of every role. */
  env?: Record<string, string>;
  /** Of the gateway; a free one unless given. */
  port?: number;
  /** Called with each process that exits unexpectedly. */
  onUnexpectedExit?: (process: RoleProcess, how: string) => void;
}

export interface RoleProcess extends ProductProcess {
  readonly role: Role;
  /** Of this replica; the role's own address spreads over all its replicas. */
  readonly url: string;
}

export interface ProductProcesses {
  /** Of the gateway. */
  readonly url: string;
  /** URL of each role, independent of its replicas. */
  readonly urls: ReadonlyMap<Role, string>;
  readonly processes: readonly RoleProcess[];
  readonly agency: AgencyProcess | undefined;
  of(role: Role): readonly RoleProcess[];
  /** Output of all processes. */
  logs(): string;
  /** Stops the gateway, then the services, then the simulator; each in order on SIGTERM. */
  stop(): Promise<void>;
}

/**
 * Starts the product with every role in a process of its own, against real Kafka, Redis and PostgreSQL. Resolves when all
 * are ready; all of them exit with this process. @throws with the output of what did not start, after stopping the rest.
 */
export async function startProductProcesses(options: ProductProcessesOptions): Promise<ProductProcesses> {
  const roleSecret = options.roleSecret ?? DEFAULT_ROLE_SECRET;
  const { ownerUrl, services, brokers, redisUrl } = options;
  await migrate({ ownerUrl, services, roleSecret, logger: pino({ level: 'silent' }) });

  const balancers: TcpBalancer[] = [];
  const processes: RoleProcess[] = [];
  let agency: AgencyProcess | undefined;
  try {
    if (options.agency !== false) agency = await startAgencyProcess(options.agency);
    const places = await placeRoles([...services.map(({ name }) => name), 'gateway']);
    const urls = new Map([...places].map(([role, { url }]) => [role, url]));
    const shared = {
      ...keys(),
      KAFKA_BROKERS: brokers.join(),
      KAFKA_TOPIC_PREFIX: `test-${randomBytes(6).toString('hex')}.`,
      KAFKA_PARTITIONS: '2',
      INTERNAL_SECRET: randomBytes(16).toString('hex'),
      ...(redisUrl ? { REDIS_URL: redisUrl } : {}),
      ...Object.fromEntries(
        [...urls].flatMap(([role, url]) => (role === 'gateway' ? [] : [[urlSettingOf(role), url]])),
      ),
      ...agency?.env,
      ...options.env,
    };
    const starting = [...places].flatMap(([role, { ports }]) =>
      ports.map((port, index) => {
        const url = `http://127.0.0.1:${port}`;
        const started = startProductProcess({
          name: ports.length > 1 ? `${role} ${index + 1}` : role,
          program: 'host/src/main.ts',
          readyUrl: `${url}/readyz`,
          env: {
            ...shared,
            ...(role === 'gateway' ? {} : { DATABASE_URL: serviceUrl(ownerUrl, role, roleSecret) }),
            ...options.roles?.[role]?.env,
            SERVICES: role,
            PORT: String(port),
          },
          onUnexpectedExit: (how) => options.onUnexpectedExit?.(made, how),
        });
        const made: RoleProcess = { ...started.process, role, url };
        processes.push(made);
        return started.ready;
      }),
    );
    await Promise.all(starting);
    return {
      url: urls.get('gateway') ?? '',
      urls,
      processes,
      agency,
      of: (role) => processes.filter((candidate) => candidate.role === role),
      logs: () => processes.map(({ name, logs }) => `== ${name}\n${logs()}`).join('\n'),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }

  async function placeRoles(roles: readonly Role[]) {
    const places = new Map<Role, { ports: number[]; url: string }>();
    for (const role of roles) {
      const ports: number[] = [];
      const replicas = options.roles?.[role]?.replicas ?? 1;
      while (ports.length < replicas) {
        ports.push(role === 'gateway' && options.port ? options.port + ports.length : await freePort());
      }
      if (ports.length === 0) continue;
      const url = ports.length > 1 ? await balance(ports) : `http://127.0.0.1:${ports[0]}`;
      places.set(role, { ports, url });
    }
    return places;
  }

  async function balance(ports: readonly number[]): Promise<string> {
    const balancer = await startTcpBalancer(ports);
    balancers.push(balancer);
    return balancer.url;
  }

  async function stop(): Promise<void> {
    const isGateway = ({ role }: RoleProcess) => role === 'gateway';
    await Promise.all(processes.filter(isGateway).map((gateway) => gateway.stop()));
    await Promise.all(processes.filter((each) => !isGateway(each)).map((service) => service.stop()));
    await Promise.all([agency?.stop(), ...balancers.map((balancer) => balancer.stop())]);
  }
}

function keys(): { TOKEN_PRIVATE_KEY: string; TOKEN_PUBLIC_KEY: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return {
    TOKEN_PRIVATE_KEY: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    TOKEN_PUBLIC_KEY: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
  };
}
