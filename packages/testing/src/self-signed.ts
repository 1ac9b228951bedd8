import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

export interface SelfSigned {
  readonly key: string;
  readonly cert: string;
  /** A file with the certificate, for NODE_EXTRA_CA_CERTS. */
  readonly certFile: string;
  remove(): void;
}

/** A self-signed key and certificate for `localhost` and 127.0.0.1, made by openssl. */
export function makeSelfSigned(): SelfSigned {
  const folder = mkdtempSync(path.join(tmpdir(), 'casewatch-certificate-'));
  const [key, cert] = [path.join(folder, 'key.pem'), path.join(folder, 'cert.pem')];
  const names = 'subjectAltName=DNS:localhost,IP:127.0.0.1';
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  const files = ['-keyout', key, '-out', cert];
  const words = [
    'req',
    '-x509',
    ...curve,
    ...files,
    '-days',
    '2',
    '-subj',
    '/CN=localhost',
    '-addext',
    names,
  ];
  execFileSync('openssl', words, { stdio: 'pipe' });
  return {
    key: readFileSync(key, 'utf8'),
    cert: readFileSync(cert, 'utf8'),
    certFile: cert,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
