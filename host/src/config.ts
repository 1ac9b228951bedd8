import { flag, integer, setting } from '@casewatch/service-kit/settings/settings';
import { httpUrl, ratio, secrets } from '@casewatch/service-kit/settings/shared-settings';
import { parseRedisUrl } from '@casewatch/shared-state/redis/redis-url';
import { z } from 'zod';
import { kafkaSettings } from './kafka-settings.ts';

const postgresUrl = () =>
  z.url({
    protocol: /^postgres(?:ql)?$/,
    error: 'must be a URL that begins with postgres:// or postgresql://',
  });

const redisUrl = () =>
  z.string().superRefine((value, context) => {
    try {
      parseRedisUrl(value);
    } catch (error) {
      context.addIssue({ code: 'custom', message: error instanceof Error ? error.message : 'must be a URL' });
    }
  });

const serviceUrl = (service: string) =>
  setting(httpUrl().optional(), {
    description: `Where the ${service} service listens, when another process runs it.`,
  });

const SIMULATORS = ['agency', 'payments', 'mailbox'] as const;
export type SimulatorName = (typeof SIMULATORS)[number];

const simulators = () =>
  z
    .string()
    .transform((text) => (text.trim() === 'none' ? [] : text.split(',').map((name) => name.trim())))
    .pipe(z.array(z.enum(SIMULATORS, `must be none, or some of ${SIMULATORS.join(', ')}`)));

/** What the process itself needs, whichever services it runs. */
export const hostSettings = {
  SERVICES: setting(z.string().default('all'), {
    description:
      'The roles of this process: `all`; a comma-separated list of `gateway` and service names, such as `cases,identity`; or `streams`, the event streams alone behind an entrance of their own.',
  }),
  HOST: setting(z.string().default('127.0.0.1'), { description: 'Address to listen on.' }),
  PORT: setting(integer(0, 65_535).default(8080), { description: 'Port to listen on; 0 takes a free one.' }),
  DATA_DIR: setting(z.string().default('.casewatch'), {
    description: 'Folder of the embedded database, its secrets and the log of an all-in-one start.',
  }),
  DATABASE_URL: setting(postgresUrl().optional(), {
    description:
      'A PostgreSQL of your own. With `SERVICES=all` its user owns the schemas and makes one role per service; otherwise it is the role of the service that runs here; several services in one process each have their own, such as `ADMIN_LOG_DATABASE_URL`. Unset: an embedded PostgreSQL (all-in-one only).',
    secret: true,
  }),
  DATABASE_DIRECT_URL: setting(postgresUrl().optional(), {
    description:
      'Where `DATABASE_URL` leads to a transaction pooler: the same role at PostgreSQL itself, for what needs a session (LISTEN, the locks of relays and of the agency’s caller, those of billing). For `ADMIN_LOG_DATABASE_URL` and its siblings: `ADMIN_LOG_DATABASE_DIRECT_URL`. Unset: the same URL.',
    secret: true,
  }),
  DATABASE_USERNAME: setting(z.string().optional(), {
    description: 'User of DATABASE_URL, in place of the one in the URL; any characters.',
  }),
  DATABASE_PASSWORD: setting(z.string().optional(), {
    description:
      'Password of DATABASE_URL and DATABASE_DIRECT_URL; `ADMIN_LOG_DATABASE_PASSWORD` and its siblings likewise. In place of the one in the URL; any characters.',
    secret: true,
  }),
  REDIS_URL: setting(redisUrl().optional(), {
    description:
      'A Redis for what the replicas of a role share: limits, sessions to forget, pushes to open browsers. One server: `redis://user:password@host:6379/0`; behind Sentinel: `redis+sentinel://user:password@host1:26379,host2:26379/mymaster/0`, with `?sentinelUsername=` and `&sentinelPassword=` where the sentinels ask for them; a cluster: `redis+cluster://user:password@host1:6379,host2:6379`. `rediss` in place of `redis` speaks TLS. Unset: each process keeps these in memory, which is right for one process only.',
    secret: true,
  }),
  REDIS_USERNAME: setting(z.string().optional(), {
    description: 'User of REDIS_URL, in place of the one in the URL; any characters.',
  }),
  REDIS_PASSWORD: setting(z.string().optional(), {
    description: 'Password of REDIS_URL, in place of the one in the URL; any characters.',
    secret: true,
  }),
  REDIS_PREFIX: setting(
    z
      .string()
      .regex(/^[\w.:-]{1,100}$/, 'must be up to 100 letters, digits, dots, colons, dashes, underscores')
      .default('casewatch:'),
    {
      description:
        'Begins the name of every key and channel in Redis: installs that share one have one each. Numbers of databases do not separate channels.',
    },
  ),
  LOG_LEVEL: setting(z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).default('info'), {
    description: 'How much is logged.',
  }),
  LOG_FILE: setting(z.string().optional(), {
    description:
      'Where log lines go. Unset: `casewatch.log` in DATA_DIR for all-in-one, else standard output.',
  }),
  LOG_FILE_MAX_MB: setting(integer(1, 10_000).default(10), {
    description: 'A log file of this many megabytes is moved aside, to a name that ends in `.1`.',
  }),
  LOG_FILES_KEPT: setting(integer(1, 100).default(5), {
    description: 'How many log files that were moved aside are kept besides the current one.',
  }),
  INTERNAL_SECRET: setting(secrets().optional(), {
    description:
      'Shared by all processes: opens the internal routes; several, separated by commas, while one is replaced: the first is sent, each is accepted. Needed when the services run apart.',
    secret: true,
  }),
  TOKEN_PRIVATE_KEY: setting(z.string().optional(), {
    description:
      'PEM of the P-256 private key that signs identity tokens; gateway only, needed when the services run apart.',
    secret: true,
  }),
  TOKEN_PUBLIC_KEY: setting(z.string().optional(), {
    description:
      'PEM of the public key that belongs to TOKEN_PRIVATE_KEY; several, one after another, while it is replaced. Needed by services that run apart.',
  }),
  IDENTITY_URL: serviceUrl('identity'),
  CASES_URL: serviceUrl('cases'),
  MONITORING_URL: serviceUrl('monitoring'),
  NOTIFICATIONS_URL: serviceUrl('notifications'),
  BILLING_URL: serviceUrl('billing'),
  SURVEYS_URL: serviceUrl('surveys'),
  ADMIN_LOG_URL: serviceUrl('admin-log'),
  STREAMS_URL: setting(httpUrl().optional(), {
    description:
      'Where the role `streams` listens: a gateway whose process does not run notifications forwards event streams there. Unset: to notifications. Not needed where the ingress sends them there.',
  }),
  ...kafkaSettings,
  SIMULATORS: setting(simulators().optional(), {
    description:
      'What an all-in-one start simulates: some of `agency`, `payments` and `mailbox` (a page that shows every e-mail), separated by commas, or `none`. Unset: on loopback those whose credentials are not set; none where HOST or PUBLIC_URL is another machine’s, or TRUST_PROXY_HOPS says that a proxy is in front: there Pro is not offered without STRIPE_SECRET_KEY, and no e-mails are sent without SMTP_URL.',
  }),
  AGENCY_SIMULATOR_PORT: setting(integer(0, 65_535).default(0), {
    description: 'Port of the agency simulator on loopback, where SIMULATORS has one; 0 takes a free one.',
  }),
  AGENCY_SIMULATOR_CONTROL: setting(flag().optional(), {
    description:
      'Whether the control API of the agency simulator answers, to callers on this machine. Unset: where HOST and PUBLIC_URL are loopback.',
  }),
  PAYMENTS_SIMULATOR_PORT: setting(integer(0, 65_535).default(0), {
    description: 'Port of the payments simulator on loopback, where SIMULATORS has one; 0 takes a free one.',
  }),
  PAYMENTS_SIMULATOR_CONTROL: setting(flag().optional(), {
    description:
      'Whether the control API of the payments simulator answers, to callers on this machine. Unset: where HOST and PUBLIC_URL are loopback.',
  }),
  PAYMENTS_SIMULATOR_PUBLIC_URL: setting(httpUrl().optional(), {
    description:
      'Where browsers reach the payments simulator, when that is not where it listens. Needed where PUBLIC_URL is not on this machine.',
  }),
  MAILBOX_PORT: setting(integer(0, 65_535).optional(), {
    description:
      'Port of the page that shows every e-mail, on loopback, where SIMULATORS has a mailbox; 0 takes a free one. Unset: there is one only where SIMULATORS names it. `npm start` sets 0.',
  }),
  METRICS_PORT: setting(integer(0, 65_535).optional(), {
    description:
      'Port of HOST where `GET /metrics` is answered; 0 takes a free one, which is logged. Unset: services answer it on PORT, and a process with the gateway, which is public, does not.',
  }),
  HTTPS_PROXY: setting(httpUrl().optional(), {
    description:
      'A proxy for what leaves the network over HTTPS: the agency, Stripe, push services; with `NODE_USE_ENV_PROXY=1` also the OpenID provider and KAFKA_OAUTH_TOKEN_URL. Unset: none.',
  }),
  NO_PROXY: setting(z.string().optional(), {
    description:
      'Hosts that HTTPS_PROXY is not used for, with commas between, such as `.svc,.cluster.local`.',
  }),
  OTEL_EXPORTER_OTLP_ENDPOINT: setting(httpUrl().optional(), {
    description: 'A collector that takes traces and metrics as OTLP over HTTP. Unset: none are sent.',
  }),
  OTEL_TRACES_SAMPLER_ARG: setting(ratio().default(1), {
    description: 'The share of traces that is kept, 0 to 1; the gateway decides for each request.',
  }),
  LEAVE_SECONDS: setting(integer(0, 300).default(0), {
    description:
      'How long a stopping process still accepts requests while `/readyz` already says 503: time for a load balancer to use other processes.',
  }),
  STREAM_DRAIN_SECONDS: setting(integer(0, 300).default(0), {
    description:
      'Event streams are ended at random times within this part of DRAIN_SECONDS, so that their browsers do not come back all at once. 0: at once.',
  }),
  DRAIN_SECONDS: setting(integer(0, 300).default(20), {
    description: 'How long a stop then waits for requests in progress.',
  }),
};
