/** Registers metrics-server, a process of this machine, with the API server for processor and memory use. */
export function resourceMetricsManifests(port: number): string {
  const group = 'metrics.k8s.io';
  const version = 'v1beta1';
  const metadata = { name: 'metrics-server', namespace: 'kube-system' };
  const items = [
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata,
      spec: { type: 'ExternalName', externalName: 'localhost' },
    },
    {
      apiVersion: 'apiregistration.k8s.io/v1',
      kind: 'APIService',
      metadata: { name: `${version}.${group}` },
      spec: {
        group,
        version,
        insecureSkipTLSVerify: true,
        groupPriorityMinimum: 100,
        versionPriority: 100,
        service: { ...metadata, port },
      },
    },
  ];
  return JSON.stringify({ apiVersion: 'v1', kind: 'List', items });
}

/** Reads the real kubelet every ten seconds, the shortest period it takes. */
export const metricsServerWords = (kubeconfig: string, port: number, folder: string): string[] => [
  ...['--kubeconfig', kubeconfig, '--authentication-kubeconfig', kubeconfig],
  ...['--authorization-kubeconfig', kubeconfig, '--bind-address', '127.0.0.1', '--secure-port', String(port)],
  ...['--cert-dir', `${folder}/pki`, '--kubelet-certificate-authority', `${folder}/pki/ca.crt`],
  ...['--kubelet-use-node-status-port', '--kubelet-preferred-address-types', 'InternalIP'],
  ...['--metric-resolution', '10s', '--kubelet-request-timeout', '5s'],
];
