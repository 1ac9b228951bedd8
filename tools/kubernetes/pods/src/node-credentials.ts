import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { MACHINE_ADDRESS } from './machine.ts';

export interface NodeCredentials {
  /** Path of a file of `folder/pki`. */
  file(name: string): string;
  readonly kubeconfig: { admin: string; kubelet: string; proxy: string };
}

/** Authorities, certificates and tokens of a control plane with one real node, for a month. */
export function makeNodeCredentials(folder: string, node: string, server: string): NodeCredentials {
  const pki = path.join(folder, 'pki');
  const file = (name: string) => path.join(pki, name);
  const openssl = (...words: string[]) => execFileSync('openssl', words, { cwd: pki, stdio: 'pipe' });
  const fresh = (name: string) => ['-newkey', 'rsa:2048', '-nodes', '-keyout', `${name}.key`];
  openssl('genrsa', '-out', 'sa.key', '2048');
  openssl('rsa', '-in', 'sa.key', '-pubout', '-out', 'sa.pub');
  for (const name of ['ca', 'front']) {
    openssl('req', '-x509', ...fresh(name), '-out', `${name}.crt`, '-subj', `/CN=${name}`, '-days', '30');
  }
  sign('ca', 'apiserver', '/CN=apiserver', [
    `IP:${MACHINE_ADDRESS}`,
    'IP:127.0.0.1',
    'IP:10.96.0.1',
    'DNS:kubernetes.default.svc',
  ]);
  sign('ca', 'kubelet', `/CN=${node}`, [`IP:${MACHINE_ADDRESS}`, `DNS:${node}`]);
  sign('ca', 'apiserver-kubelet', '/O=system:masters/CN=apiserver', []);
  sign('front', 'front-client', '/CN=front-proxy-client', []);

  const users = [
    { key: 'admin', user: 'admin', group: 'system:masters' },
    { key: 'kubelet', user: `system:node:${node}`, group: 'system:nodes' },
    { key: 'proxy', user: 'system:kube-proxy', group: '' },
  ].map((entry) => ({ ...entry, token: randomBytes(16).toString('hex') }));
  const rows = users.map(({ token, user, group }) => [token, user, user, ...(group ? [group] : [])].join());
  writeFileSync(file('tokens.csv'), `${rows.join('\n')}\n`, { mode: 0o600 });
  const [admin = '', kubelet = '', proxy = ''] = users.map(({ key, token }) => {
    const config = path.join(folder, `${key}.kubeconfig`);
    writeFileSync(config, kubeconfig(server, file('ca.crt'), token), { mode: 0o600 });
    return config;
  });
  return { file, kubeconfig: { admin, kubelet, proxy } };

  function sign(authority: string, name: string, subject: string, names: readonly string[]): void {
    openssl('req', ...fresh(name), '-out', `${name}.csr`, '-subj', subject);
    const extensions = `${name}.ext`;
    writeFileSync(file(extensions), names.length > 0 ? `subjectAltName=${names.join()}\n` : '');
    openssl(
      ...['x509', '-req', '-in', `${name}.csr`, '-CA', `${authority}.crt`, '-CAkey', `${authority}.key`],
      ...['-CAcreateserial', '-out', `${name}.crt`, '-days', '30', '-extfile', extensions],
    );
  }
}

function kubeconfig(server: string, authority: string, token: string): string {
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'c', cluster: { server, 'certificate-authority': authority } }],
    users: [{ name: 'u', user: { token } }],
    contexts: [{ name: 'c', context: { cluster: 'c', user: 'u' } }],
    'current-context': 'c',
  });
}
