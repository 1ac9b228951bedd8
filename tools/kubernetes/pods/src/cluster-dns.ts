import { CLUSTER_DNS } from './node-config.ts';

export const DNS_IMAGE = 'localhost/coredns:1';
const NAMESPACE = 'kube-system';
const NAME = 'coredns';
const COREFILE = `.:53 {
  errors
  health :8080
  ready :8181
  kubernetes cluster.local in-addr.arpa {
    pods insecure
  }
  cache 5
  loadbalance
}
`;

/** Returns CoreDNS as a cluster has it, as one list of manifests. */
export function dnsManifests(): string {
  const metadata = { name: NAME, namespace: NAMESPACE };
  const labels = { 'k8s-app': 'kube-dns' };
  const rules = [
    { apiGroups: [''], resources: ['endpoints', 'services', 'pods', 'namespaces'], verbs: ['list', 'watch'] },
    { apiGroups: ['discovery.k8s.io'], resources: ['endpointslices'], verbs: ['list', 'watch'] },
  ];
  const rbac = 'rbac.authorization.k8s.io';
  const subject = { kind: 'ServiceAccount', ...metadata };
  const container = {
    name: NAME,
    image: DNS_IMAGE,
    imagePullPolicy: 'Never',
    args: ['-conf', '/etc/coredns/Corefile'],
    securityContext: {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    },
    readinessProbe: { httpGet: { path: '/ready', port: 8181 }, periodSeconds: 1 },
    livenessProbe: { httpGet: { path: '/health', port: 8080 } },
    resources: { requests: { cpu: '20m', memory: '32Mi' }, limits: { memory: '128Mi' } },
    volumeMounts: [{ name: 'config', mountPath: '/etc/coredns' }],
  };
  const items = [
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata },
    { apiVersion: `${rbac}/v1`, kind: 'ClusterRole', metadata: { name: NAME }, rules },
    {
      apiVersion: `${rbac}/v1`,
      kind: 'ClusterRoleBinding',
      metadata: { name: NAME },
      roleRef: { apiGroup: rbac, kind: 'ClusterRole', name: NAME },
      subjects: [subject],
    },
    { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { Corefile: COREFILE } },
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata,
      spec: {
        replicas: 1,
        selector: { matchLabels: labels },
        template: {
          metadata: { labels },
          spec: {
            serviceAccountName: NAME,
            dnsPolicy: 'Default',
            securityContext: {
              runAsNonRoot: true,
              runAsUser: 1000,
              seccompProfile: { type: 'RuntimeDefault' },
            },
            containers: [container],
            volumes: [{ name: 'config', configMap: { name: NAME } }],
          },
        },
      },
    },
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'kube-dns', namespace: NAMESPACE },
      spec: {
        clusterIP: CLUSTER_DNS,
        selector: labels,
        ports: [
          { name: 'dns', port: 53, protocol: 'UDP' },
          { name: 'dns-tcp', port: 53, protocol: 'TCP' },
        ],
      },
    },
  ];
  return JSON.stringify({ apiVersion: 'v1', kind: 'List', items });
}
