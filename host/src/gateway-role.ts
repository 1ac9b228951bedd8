import type { KeyObject } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { resolveAdminSession } from '@casewatch/contracts/admin-session';
import { resolveSession } from '@casewatch/contracts/identity';
import { streamNotifications } from '@casewatch/contracts/notifications';
import type { ServiceName } from '@casewatch/contracts/route-contract';
import { gatewaySettings } from '@casewatch/gateway/config';
import { createGateway, type Gateway, type GatewayDeps, type Upstream } from '@casewatch/gateway/gateway';
import { createAdminTokenIssuer } from '@casewatch/service-kit/http/admin-token';
import { createTokenIssuer, type TokenVerifier } from '@casewatch/service-kit/http/identity-token';
import { IDENTITY_HEADER } from '@casewatch/service-kit/http/internal-headers';
import { createServiceApp } from '@casewatch/service-kit/http/service-app';
import type { ServiceClient } from '@casewatch/service-kit/http/service-client';
import type { ServiceRouter } from '@casewatch/service-kit/http/service-router';
import { readSettings, urlSettingOf } from '@casewatch/service-kit/settings/settings';
import { registry } from './registry.ts';

const webRoot = fileURLToPath(new URL('../../web/dist', import.meta.url));

export interface GatewayRoleOptions
  extends Pick<
    GatewayDeps,
    'clock' | 'logger' | 'limiters' | 'invalidation' | 'ready' | 'alive' | 'telemetry' | 'only'
  > {
  env: NodeJS.ProcessEnv;
  /** Signs the identity of the caller. */
  privateKey: KeyObject;
  client: ServiceClient;
  /** Of the services that run in this process; the others are where `<SERVICE>_URL` says. */
  routers: ReadonlyMap<ServiceName, ServiceRouter>;
}

/** Creates the gateway as this process needs it. */
export function createGatewayRole(options: GatewayRoleOptions): Gateway {
  const { env, clock, client, privateKey, routers } = options;
  const upstreams = new Map<ServiceName, Upstream>();
  for (const { name } of registry) {
    const router = routers.get(name);
    const url = env[urlSettingOf(name)];
    if (router) upstreams.set(name, { kind: 'local', router });
    else if (url) upstreams.set(name, { kind: 'remote', url });
  }
  return createGateway({
    ...options,
    settings: readSettings(gatewaySettings, env),
    logger: options.logger.child({ service: 'gateway' }),
    issueToken: createTokenIssuer(privateKey, clock),
    issueAdminToken: createAdminTokenIssuer(privateKey, clock),
    resolveSession: async (sid) => (await client.call(resolveSession, { body: { sid } })).session,
    resolveAdminSession: async (sid) => (await client.call(resolveAdminSession, { body: { sid } })).session,
    upstreams,
    streamsUrl: routers.has('notifications') ? undefined : env.STREAMS_URL || undefined,
    webRoot,
  });
}

/**
 * Creates the event streams alone, behind a gateway's checks. A request with a valid identity token comes through a gateway that
 * has made these checks and ends the stream with its session: it is handed over at once. Any other is a browser's.
 */
export function createStreamsRole(options: GatewayRoleOptions & { verifyToken: TokenVerifier }): Gateway {
  const { verifyToken, routers, ready, logger } = options;
  const forBrowsers = createGatewayRole({ ...options, only: [streamNotifications] });
  const forGateways = createServiceApp({ routers: [...routers.values()], ready, logger });
  return {
    ...forBrowsers,
    handler: (req, res) => {
      const token = req.headers[IDENTITY_HEADER];
      if (typeof token === 'string' && verifyToken(token)) forGateways(req, res);
      else forBrowsers.handler(req, res);
    },
  };
}
