import { execFileSync } from 'node:child_process';
import path from 'node:path';

/** Keys and certificates of a control plane, made in `folder` by openssl for a month. */
export function makeCertificates(folder: string): void {
  const openssl = (...words: string[]) => execFileSync('openssl', words, { cwd: folder, stdio: 'pipe' });
  openssl('genrsa', '-out', 'sa.key', '2048');
  openssl('rsa', '-in', 'sa.key', '-pubout', '-out', 'sa.pub');
  const authority = ['-newkey', 'rsa:2048', '-nodes', '-days', '30'];
  openssl(
    'req',
    '-x509',
    ...authority,
    '-keyout',
    'front.key',
    '-out',
    'front.crt',
    '-subj',
    '/CN=front-proxy-ca',
  );
  const request = ['-newkey', 'rsa:2048', '-nodes', '-keyout', 'client.key', '-out', 'client.csr'];
  openssl('req', ...request, '-subj', '/CN=front-proxy-client');
  const signed = ['-in', 'client.csr', '-CA', 'front.crt', '-CAkey', 'front.key', '-CAcreateserial'];
  openssl('x509', '-req', ...signed, '-out', 'client.crt', '-days', '30');
}

export const certificate = (folder: string, file: string): string => path.join(folder, file);
