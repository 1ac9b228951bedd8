import net from 'node:net';

/** Of all streams of a run. */
export interface StreamCounts {
  /** Opened at least once. */
  open: number;
  /** Open now. */
  connected: number;
  /** Ended for good, by another status than 200. */
  lost: number;
  /** Closed by the product before they were open. */
  rejected: number;
}

export const noStreams = (): StreamCounts => ({ open: 0, connected: 0, lost: 0, rejected: 0 });

export interface StreamOptions {
  /** The processes of the product: the next one is tried when one refuses, as a load balancer does. */
  urls: readonly string[];
  cookie: string;
  counts: StreamCounts;
  /** About 28,000 connections fit one source address. */
  localAddress?: string;
  onNotification?: (id: string) => void;
}

/**
 * Opens an EventSource on a bare socket, so that thousands fit one process: comes back after the last `retry:` and continues
 * after the last `id:`, and never comes back after an error.
 */
export function openStream({ urls, cookie, counts, localAddress, onNotification }: StreamOptions) {
  let closed = false;
  let place = 0;
  let wasOpen = false;
  let retryMs = 1_000;
  let lastEventId = '';
  let socket: net.Socket | undefined;
  let timer: NodeJS.Timeout | undefined;

  function connect(): void {
    const { hostname, port } = new URL(urls[place % urls.length] ?? '');
    let status = '';
    let isOpen = false;
    let wasRefused = false;
    let rest = '';
    socket = net.connect({ host: hostname, port: Number(port), ...(localAddress ? { localAddress } : {}) });
    socket.setEncoding('latin1');
    socket.once('connect', () => socket?.write(request(hostname)));
    socket.on('data', (text: string) => {
      rest += text;
      if (status === '') {
        if (!rest.includes('\r\n\r\n')) return;
        status = /^HTTP\/1\.1 (\d{3})/.exec(rest)?.[1] ?? '?';
        if (status !== '200') return lose();
        rest = rest.slice(rest.indexOf('\r\n\r\n') + 4);
      }
      // The lengths of the chunks stand in lines of their own before an event.
      for (let end = rest.indexOf('\n\n'); end !== -1; end = rest.indexOf('\n\n')) {
        take(rest.slice(0, end));
        rest = rest.slice(end + 2);
      }
      // The end of an answer without a connection's end.
      if (rest.endsWith('\r\n0\r\n\r\n')) socket?.destroy();
    });
    socket.on('error', () => {
      wasRefused = status === '';
    });
    socket.once('close', () => {
      if (isOpen) counts.connected -= 1;
      if (closed) return;
      if (wasRefused) place += 1;
      else if (!isOpen) counts.rejected += 1;
      timer = setTimeout(connect, retryMs);
    });

    function take(event: string): void {
      retryMs = Number(/^retry: (\d+)$/m.exec(event)?.[1] ?? retryMs);
      lastEventId = /^id: (\d+)$/m.exec(event)?.[1] ?? lastEventId;
      const name = /^event: (.+)$/m.exec(event)?.[1];
      if (name === 'notification') onNotification?.(/"id":"([^"]+)"/.exec(event)?.[1] ?? '');
      if (!name || isOpen) return;
      isOpen = true;
      counts.connected += 1;
      if (!wasOpen) counts.open += 1;
      wasOpen = true;
    }
  }

  function request(host: string): string {
    const resume = lastEventId === '' ? '' : `last-event-id: ${lastEventId}\r\n`;
    return `GET /api/notifications/stream HTTP/1.1\r\nhost: ${host}\r\ncookie: ${cookie}\r\naccept: text/event-stream\r\nsec-fetch-site: same-origin\r\n${BROWSER}${resume}\r\n`;
  }

  function lose(): void {
    closed = true;
    counts.lost += 1;
    socket?.destroy();
  }

  connect();
  return {
    close() {
      closed = true;
      clearTimeout(timer);
      socket?.destroy();
    },
  };
}

/** The further headers of a browser: the product has to read, and may not keep, them. */
const BROWSER =
  'user-agent: Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/143.0.0.0 Safari/537.36\r\n' +
  'accept-language: en-US,en;q=0.9,es;q=0.8\r\naccept-encoding: gzip, deflate, br, zstd\r\ncache-control: no-cache\r\n' +
  'sec-fetch-mode: cors\r\nsec-fetch-dest: empty\r\n';
