// `npm run compose`: makes the secrets of the compose file once, then `docker compose up`; more words go to compose.
// COMPOSE_SECRETS: another file for the secrets.
import { spawnSync } from 'node:child_process';
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const file = process.env.COMPOSE_SECRETS || path.join(root, '.casewatch', 'compose.env');

if (!existsSync(file)) {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, secrets(), { mode: 0o600, flag: 'wx' });
  console.log(`  made secrets in ${path.relative(process.cwd(), file)}; the admin passcode is among them`);
}
const [profile, rest] = splitOff('--profile', process.argv.slice(2));
const words = ['compose', '--env-file', file, ...profile, 'up', '--build', '--wait', ...rest];
const { status, error } = spawnSync('docker', words, { cwd: root, stdio: 'inherit' });
if (error) console.error('docker does not run: install Docker with its compose plugin.');
if (status === 0)
  console.log('\nCasewatch is ready at http://localhost:8080. Stop it with: docker compose down');
process.exitCode = status ?? 1;

function secrets() {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const oneLine = (key, type) => JSON.stringify(key.export({ type, format: 'pem' }));
  const random = () => randomBytes(24).toString('base64url');
  return [
    `TOKEN_PRIVATE_KEY=${oneLine(privateKey, 'pkcs8')}`,
    `TOKEN_PUBLIC_KEY=${oneLine(publicKey, 'spki')}`,
    ...['INTERNAL_SECRET', 'OWNER_PASSWORD', 'ROLE_PASSWORD', 'AGENCY_CLIENT_SECRET', 'ADMIN_PASSCODE'].map(
      (name) => `${name}=${random()}`,
    ),
    '',
  ].join('\n');
}

function splitOff(flag, given) {
  const at = given.indexOf(flag);
  if (at < 0) return [[], given];
  return [given.slice(at, at + 2), [...given.slice(0, at), ...given.slice(at + 2)]];
}
