import { execFile } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

export const BRIDGE = 'casewatch0';
/** The machine's own address on the pods' network: where the node, and what the pods use outside, is reached. */
export const MACHINE_ADDRESS = '10.88.0.1';
export const POD_NETWORK = '10.88.0.0/24';
export const CGROUP = '/casewatch-pods';
const CGROUPS = '/sys/fs/cgroup';
/** Of the processor: as much as ten other programs. All pods together would count as one else. */
const POD_SHARES = '10240';
const NEEDED: Record<string, string> = {
  runc: 'runc',
  nft: 'nftables',
  ip: 'iproute2',
  iptables: 'iptables',
  '/usr/lib/cni/bridge': 'containernetworking-plugins',
};
/** What kubelet and kube-proxy set besides ourselves. */
const SYSCTLS = [
  'net.ipv4.ip_forward',
  'net.ipv4.conf.all.route_localnet',
  'net.bridge.bridge-nf-call-iptables',
  'vm.overcommit_memory',
  'vm.panic_on_oom',
  'kernel.panic',
  'kernel.panic_on_oops',
  'kernel.keys.root_maxkeys',
  'kernel.keys.root_maxbytes',
  'net.netfilter.nf_conntrack_max',
  'net.netfilter.nf_conntrack_tcp_timeout_established',
  'net.netfilter.nf_conntrack_tcp_timeout_close_wait',
  'net.netfilter.nf_conntrack_tcp_be_liberal',
];

/** Returns why no real node can run here; empty when one can. */
export async function realNodeProblems(): Promise<string[]> {
  const problems: string[] = [];
  if (process.platform !== 'linux') problems.push('this is not Linux');
  if (process.getuid?.() !== 0) problems.push('root is needed (network bridge, namespaces, cgroups)');
  for (const [program, debianPackage] of Object.entries(NEEDED)) {
    const there = program.startsWith('/')
      ? existsSync(program)
      : await run('which', [program]).then(
          () => true,
          () => false,
        );
    if (!there) problems.push(`${program} is missing (apt-get install ${debianPackage})`);
  }
  return problems;
}

/** Makes a bridge for pods, forwarding between them, and cgroups of their own; what was before is written to `folder`. */
export async function prepareMachine(folder: string): Promise<void> {
  const before: Record<string, string> = {};
  for (const name of SYSCTLS) {
    const value = await run('sysctl', ['-n', name]).catch(() => undefined);
    if (value) before[name] = value.stdout.trim();
  }
  writeFileSync(path.join(folder, 'sysctl.json'), JSON.stringify(before));
  await run('ip', ['link', 'add', BRIDGE, 'type', 'bridge']);
  await run('ip', ['addr', 'add', `${MACHINE_ADDRESS}/24`, 'dev', BRIDGE]);
  await run('ip', ['link', 'set', BRIDGE, 'up']);
  await run('sysctl', ['-qw', 'net.ipv4.ip_forward=1', 'net.bridge.bridge-nf-call-iptables=1']);
  for (const controller of cgroupControllers())
    mkdirSync(`${CGROUPS}/${controller}${CGROUP}`, { recursive: true });
  for (const file of ['cpuset.cpus', 'cpuset.mems']) {
    const parent = `${CGROUPS}/cpuset/${file}`;
    if (existsSync(parent)) writeFileSync(`${CGROUPS}/cpuset${CGROUP}/${file}`, readFileSync(parent));
  }
  const shares = `${CGROUPS}/cpu${CGROUP}/cpu.shares`;
  if (existsSync(shares)) writeFileSync(shares, POD_SHARES);
}

/**
 * Takes back everything that a node has left on the machine: containers, mounts, namespaces, the bridge, firewall
 * tables, cgroups, settings. Its own processes have ended, but for containerd's shims.
 */
export async function restoreMachine(folder: string): Promise<void> {
  await endShims(folder);
  const mounts = readFileSync('/proc/mounts', 'utf8')
    .split('\n')
    .map((line) => line.split(' ')[1] ?? '')
    .filter((mount) => mount.startsWith(`${folder}/`));
  for (const mount of mounts.sort().reverse()) await quietly('umount', '-l', mount);
  for (const name of list('/run/netns'))
    if (name.startsWith('cni-')) await quietly('ip', 'netns', 'delete', name);
  await quietly('nft', 'delete', 'table', 'ip', 'casewatch-policies');
  await quietly('nft', 'delete', 'table', 'ip', 'kube-proxy');
  await quietly('nft', 'delete', 'table', 'ip6', 'kube-proxy');
  await quietly('ip', 'link', 'delete', BRIDGE);
  for (const controller of [...cgroupControllers(), 'unified']) {
    await quietly(
      'find',
      `${CGROUPS}/${controller}${CGROUP}`,
      '-depth',
      '-type',
      'd',
      '-exec',
      'rmdir',
      '{}',
      ';',
    );
  }
  const saved = path.join(folder, 'sysctl.json');
  if (existsSync(saved)) {
    const before: Record<string, string> = JSON.parse(readFileSync(saved, 'utf8'));
    for (const [name, value] of Object.entries(before)) await quietly('sysctl', '-qw', `${name}=${value}`);
  }
  for (const name of list('/var/log/containers')) {
    const link = path.join('/var/log/containers', name);
    if (readlinkSync(link).startsWith(`${folder}/`)) rmSync(link, { force: true });
  }
  for (const name of list('/var/lib/cni/results')) {
    if (/^(casewatch|cni-loopback)-/.test(name))
      rmSync(path.join('/var/lib/cni/results', name), { force: true });
  }
  rmSync('/var/lib/kubelet/device-plugins/kubelet.sock', { force: true });
  const left = [
    '/var/log/containers',
    '/var/lib/cni/results',
    '/var/lib/cni',
    '/var/lib/kubelet/device-plugins',
    '/var/lib/kubelet',
  ];
  for (const empty of left) await quietly('rmdir', empty);
  await quietly('rm', '-rf', '--one-file-system', folder);
}

/** Ends the containers of this node: each is held by a shim that outlives containerd. */
async function endShims(folder: string): Promise<void> {
  const socket = `${folder}/containerd.sock`;
  for (const pid of list('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)) {
    const words = readQuietly(`/proc/${pid}/cmdline`).split('\0');
    if (!words[0]?.endsWith('containerd-shim-runc-v2') || !words.some((word) => word.startsWith(socket)))
      continue;
    for (const child of readQuietly(`/proc/${pid}/task/${pid}/children`).split(' ').filter(Boolean)) {
      killQuietly(Number(child));
    }
    killQuietly(pid);
  }
  await pause(300);
}

function cgroupControllers(): string[] {
  const known = ['cpu', 'cpuacct', 'cpuset', 'memory', 'devices', 'freezer', 'blkio', 'pids', 'systemd'];
  return known.filter((controller) => existsSync(`${CGROUPS}/${controller}`));
}

async function quietly(program: string, ...words: string[]): Promise<void> {
  await run(program, words).catch(() => undefined);
}

function list(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder) : [];
}

function readQuietly(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

function killQuietly(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}
