import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { ServiceName } from '@casewatch/contracts/route-contract';
import { serviceUrl } from '@casewatch/service-kit/database/service-url';
import { parse } from 'yaml';
import { chartFolder } from '../../src/helm.ts';
import { MACHINE_ADDRESS } from './machine.ts';
import { PRODUCT_REPOSITORY, VERSIONS } from './pod-images.ts';

/** What the chart is installed with: the values of `ci/small.yaml` and these. */

export const NAMESPACE = 'shop';
export const RELEASE = 'casewatch';
export const ORIGIN = 'http://localhost:8080';
/** As many as a consumer may have working replicas. */
export const PARTITIONS = 3;

/** Where pods reach what runs outside the cluster. */
export interface OutsideAddresses {
  readonly ownerUrl: string;
  readonly brokers: string;
  readonly redisUrl: string;
  readonly ports: { database: number; kafka: number; redis: number };
}

/** The gateway and the services, as the chart names them. */
export const roles: readonly string[] = Object.keys(
  parse(readFileSync(path.join(chartFolder, 'values.yaml'), 'utf8')).services,
);
const services = roles.filter((role): role is ServiceName => role !== 'gateway');

export function chartValues(outside: OutsideAddresses): Record<string, string> {
  return {
    'image.repository': PRODUCT_REPOSITORY,
    'image.tag': VERSIONS[0],
    'image.pullPolicy': 'Never',
    publicUrl: ORIGIN,
    'kafka.brokers': outside.brokers.replaceAll(',', '\\,'),
    'kafka.partitions': String(PARTITIONS),
    ...Object.fromEntries(
      ['defaults', 'services.gateway', 'services.identity'].map((place) => [
        `${place}.resources.requests.cpu`,
        '20m',
      ]),
    ),
    'settings.RATE_LIMIT_PER_ADDRESS_PER_MINUTE': '1000000',
    'settings.RATE_LIMIT_PAGES_PER_ADDRESS_PER_MINUTE': '1000000',
    'settings.RATE_LIMIT_PER_USER_PER_MINUTE': '1000000',
    ...policyWords(outside),
  };
}

/** Returns a `networkPolicy` that lets pods reach one port each on the machine, and nothing else outside. */
export function allowedEgress({ ports }: OutsideAddresses) {
  const way = (address: string, port: number) => ({
    to: [{ ipBlock: { cidr: `${address}/32` } }],
    ports: [port],
  });
  return {
    database: way(MACHINE_ADDRESS, ports.database),
    kafka: way(MACHINE_ADDRESS, ports.kafka),
    redis: way(MACHINE_ADDRESS, ports.redis),
    external: way('127.0.0.1', 443),
  };
}

function policyWords(outside: OutsideAddresses): Record<string, string> {
  return Object.fromEntries(
    Object.entries(allowedEgress(outside)).flatMap(([name, { to, ports }]) => [
      [`networkPolicy.${name}.to[0].ipBlock.cidr`, to[0]?.ipBlock.cidr ?? ''],
      [`networkPolicy.${name}.ports`, `{${ports}}`],
    ]),
  );
}

/** Returns the secrets that the values name, as one list of manifests. */
export function secretManifests({ ownerUrl, redisUrl }: OutsideAddresses): string {
  const roleSecret = randomBytes(16).toString('hex');
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const urls = services.map((name) => [`${name}-url`, serviceUrl(ownerUrl, name, roleSecret)]);
  const secrets: Record<string, Record<string, string>> = {
    'casewatch-database': { 'owner-url': ownerUrl, ...Object.fromEntries(urls) },
    'casewatch-internal': {
      'internal-secret': randomBytes(24).toString('hex'),
      'token-private-key': privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
      'token-public-key': publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    },
    'casewatch-redis': { url: redisUrl },
  };
  const items = Object.entries(secrets).map(([name, stringData]) => ({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name, namespace: NAMESPACE },
    stringData,
  }));
  return JSON.stringify({ apiVersion: 'v1', kind: 'List', items });
}
