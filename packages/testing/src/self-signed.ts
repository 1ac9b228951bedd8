import 'reflect-metadata';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  BasicConstraintsExtension,
  SubjectAlternativeNameExtension,
  X509CertificateGenerator,
} from '@peculiar/x509';

export interface SelfSigned {
  readonly key: string;
  readonly cert: string;
  /** A file with the certificate, for NODE_EXTRA_CA_CERTS. */
  readonly certFile: string;
  remove(): void;
}

const DAY_MS = 86_400_000;
const CURVE = { name: 'ECDSA', namedCurve: 'P-256' };

/** Makes a key and its self-signed certificate for `localhost` and 127.0.0.1, in PEM, valid from yesterday to tomorrow. */
export async function makeSelfSigned(): Promise<SelfSigned> {
  const keys = await crypto.subtle.generateKey(CURVE, true, ['sign', 'verify']);
  const certificate = await X509CertificateGenerator.createSelfSigned({
    name: 'CN=localhost',
    keys,
    notBefore: new Date(Date.now() - DAY_MS),
    notAfter: new Date(Date.now() + DAY_MS),
    signingAlgorithm: { name: 'ECDSA', hash: 'SHA-256' },
    extensions: [
      new BasicConstraintsExtension(true, undefined, true),
      new SubjectAlternativeNameExtension([
        { type: 'dns', value: 'localhost' },
        { type: 'ip', value: '127.0.0.1' },
      ]),
    ],
  });
  const pkcs8 = Buffer.from(await crypto.subtle.exportKey('pkcs8', keys.privateKey)).toString('base64');
  const folder = mkdtempSync(path.join(tmpdir(), 'casewatch-certificate-'));
  const certFile = path.join(folder, 'cert.pem');
  const cert = certificate.toString('pem');
  writeFileSync(certFile, cert);
  return {
    key: `-----BEGIN PRIVATE KEY-----\n${pkcs8}\n-----END PRIVATE KEY-----\n`,
    cert,
    certFile,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
