import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { freePort } from '@casewatch/dev-stack/free-port';
import { spawnChild } from '@casewatch/dev-stack/processes/child-process';
import { debianCommand } from '@casewatch/dev-stack/tools/debian-program';
import type { Child } from '../child.ts';

const PACKAGES = ['nginx', 'libc6', 'libcrypt1', 'libpcre2-8-0', 'libssl3t64', 'zlib1g'];
const POLL_MS = 50;
const READY_WITHIN_MS = 10_000;

/** Starts nginx of Debian's packages as a reverse proxy: one process, as the gateway is; connections kept; no access log. */
export async function startNginx(
  serviceUrl: string,
  parent: string,
): Promise<Child & { readonly url: string }> {
  const [command, ...words] = await debianCommand({
    name: 'nginx',
    program: 'usr/sbin/nginx',
    packages: PACKAGES,
  });
  const folder = path.join(parent, 'nginx');
  mkdirSync(folder, { recursive: true });
  const port = await freePort();
  const file = path.join(folder, 'nginx.conf');
  writeFileSync(file, configuration(serviceUrl, port));
  const child = spawnChild(command, [
    ...words,
    '-p',
    folder,
    '-c',
    file,
    '-e',
    path.join(folder, 'error.log'),
  ]);
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  let said = '';
  child.stdout.resume();
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  const url = `http://127.0.0.1:${port}`;
  const deadline = performance.now() + READY_WITHIN_MS;
  while (!(await answers(url))) {
    if (child.exitCode !== null || performance.now() > deadline)
      throw new Error(`nginx does not answer:\n${said}`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  return {
    url,
    process: child,
    stop: async () => {
      child.kill('SIGTERM');
      await exited;
    },
  };
}

async function answers(url: string): Promise<boolean> {
  const answer = await fetch(url).catch(() => undefined);
  await answer?.body?.cancel();
  return answer?.ok ?? false;
}

function configuration(serviceUrl: string, port: number): string {
  const buffers = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (kind) => `${kind}_temp_path ${kind};`,
  );
  return `
daemon off;
master_process off;
pid nginx.pid;
events { worker_connections 1024; }
http {
  access_log off;
  ${buffers.join(' ')}
  keepalive_requests 1000000;
  upstream service { server ${new URL(serviceUrl).host}; keepalive 256; keepalive_requests 1000000; }
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass http://service;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_set_header Host $host;
      proxy_set_header X-Forwarded-For $remote_addr;
    }
  }
}
`;
}
