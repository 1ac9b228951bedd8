// `npm run compose`: makes the secrets of docker-compose.yml once, then starts all of it; options go to `up`.
// `npm run compose -- --profile observability` adds metrics, alerts, dashboards and traces.
// `npm run compose -- logs cases`, `-- down`, …: the commands of docker compose, with the same secrets.
// COMPOSE_SECRETS: another file for the secrets.
import { spawnSync } from 'node:child_process';
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { makePushKeys } from './push-keys.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const file = process.env.COMPOSE_SECRETS || path.join(root, '.casewatch', 'compose.env');
const random = () => randomBytes(24).toString('base64url');

makeSecrets();
const { profiles, rest } = takeProfiles(process.argv.slice(2));
const isUp = rest[0] === undefined || rest[0].startsWith('-');
const words = isUp ? ['up', '--build', '--wait', ...rest] : rest;
const env = { ...process.env, COMPOSE_PROFILES: profiles.join(), ...ownStripe() };
const { status, error } = spawnSync('docker', ['compose', '--env-file', file, ...words], {
  cwd: root,
  stdio: 'inherit',
  env,
});
if (error) console.error('docker does not run: install Docker with its compose plugin.');
if (status === 0 && isUp) sayWhere();
process.exitCode = status ?? 1;

/** Those that the file lacks. */
function makeSecrets() {
  const there = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const has = (name) => there.split('\n').some((line) => line.startsWith(`${name}=`));
  const missing = secrets().filter(([first]) => !has(first[0]));
  if (missing.length === 0) return;
  mkdirSync(path.dirname(file), { recursive: true });
  const lines = missing.flat().map(([name, value]) => `${name}=${value}\n`);
  appendFileSync(file, `${there === '' || there.endsWith('\n') ? '' : '\n'}${lines.join('')}`, {
    mode: 0o600,
  });
  console.log(`  made secrets in ${path.relative(process.cwd(), file)}; the admin passcode is among them`);
}

/** Groups of names and values that belong together. */
function secrets() {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const oneLine = (key, type) => JSON.stringify(key.export({ type, format: 'pem' }));
  const names = [
    'INTERNAL_SECRET',
    'OWNER_PASSWORD',
    'ROLE_PASSWORD',
    'AGENCY_CLIENT_SECRET',
    'ADMIN_PASSCODE',
    'MAIL_SECRET',
    'GRAFANA_PASSWORD',
  ];
  return [
    [
      ['TOKEN_PRIVATE_KEY', oneLine(privateKey, 'pkcs8')],
      ['TOKEN_PUBLIC_KEY', oneLine(publicKey, 'spki')],
    ],
    makePushKeys(),
    ...names.map((name) => [[name, random()]]),
    [['SIMULATED_STRIPE_SECRET_KEY', `sk_test_${random()}`]],
    [['SIMULATED_STRIPE_PUBLISHABLE_KEY', `pk_test_${random()}`]],
    [['SIMULATED_STRIPE_WEBHOOK_SECRET', `whsec_${random()}`]],
  ];
}

/** The profiles of the words and of COMPOSE_PROFILES, where the compose file sees whether there is a collector. */
function takeProfiles(given) {
  const found = new Set((process.env.COMPOSE_PROFILES ?? '').split(',').filter(Boolean));
  const rest = [];
  for (let at = 0; at < given.length; at += 1) {
    const [flag, inline] = given[at].split('=', 2);
    if (flag !== '--profile') rest.push(given[at]);
    else if (inline !== undefined) found.add(inline);
    else {
      at += 1;
      found.add(given[at] ?? '');
    }
  }
  return { profiles: [...found], rest };
}

/** Keys of Stripe lead to Stripe, not to the simulator. */
function ownStripe() {
  if (!process.env.STRIPE_SECRET_KEY) return {};
  const { STRIPE_API_BASE = '', STRIPE_SCRIPT_URL = '' } = process.env;
  return { STRIPE_API_BASE, STRIPE_SCRIPT_URL };
}

function sayWhere() {
  const at = (port) => `http://localhost:${port}`;
  const { PORT, PUBLIC_URL, MAILBOX_PORT, GRAFANA_PORT, PROMETHEUS_PORT, JAEGER_PORT } = process.env;
  const lines = [
    `Casewatch is ready at ${PUBLIC_URL || at(PORT || 8080)}; e-mails are at ${at(MAILBOX_PORT || 8025)}.`,
    ...(profiles.includes('observability')
      ? [
          `Dashboards: ${at(GRAFANA_PORT || 3000)}, alerts: ${at(PROMETHEUS_PORT || 9090)}/alerts, traces: ${at(JAEGER_PORT || 16686)}.`,
        ]
      : []),
    `Stop it with: npm run compose -- ${profiles.map((name) => `--profile ${name} `).join('')}down`,
  ];
  console.log(`\n${lines.join('\n')}`);
}
