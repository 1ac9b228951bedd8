import {
  createDecipheriv,
  createECDH,
  createPublicKey,
  type ECDH,
  hkdfSync,
  randomBytes,
  verify,
} from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { z } from 'zod';

/** A message that the push service accepted, as the browser decrypts it. */
export interface ReceivedPush {
  /** Of the device that it is for. */
  readonly device: string;
  readonly message: Readonly<Record<string, unknown>>;
  /** Bytes of the message before encryption. */
  readonly size: number;
  readonly ttl: number;
  readonly urgency: string;
  readonly topic: string;
  readonly subject: string;
}

/** Returns a new pair of the product's keys (RFC 8292), as settings. */
export function makePushKeys() {
  const curve = createECDH('prime256v1');
  curve.generateKeys();
  return {
    PUSH_VAPID_PUBLIC_KEY: curve.getPublicKey('base64url'),
    // A number: leading zeros are a part of the key.
    PUSH_VAPID_PRIVATE_KEY: Buffer.from(curve.getPrivateKey('hex').padStart(64, '0'), 'hex').toString(
      'base64url',
    ),
  };
}

/** A status to answer with, instead of accepting the message. */
export interface PushRefusal {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
}

const jwtHeader = z.object({ typ: z.literal('JWT'), alg: z.literal('ES256') });
const jwtClaims = z.object({ aud: z.string(), exp: z.number(), sub: z.string() });

/**
 * Starts a push service on loopback, over TLS (RFC 8030): checks the signature of the product's key (RFC 8292) and decrypts like the
 * browser of the device (RFC 8291). What is wrong is answered as push services do, 403 for the key and 400 for the rest.
 */
export async function startPushService({ key, cert }: { key: string; cert: string }) {
  const devices = new Map<string, { keys: ECDH; auth: Buffer; publicKey: string }>();
  const received: ReceivedPush[] = [];
  let refuse: (device: string) => PushRefusal | undefined = () => undefined;
  let silent = false;
  const unanswered: ServerResponse[] = [];
  let requests = 0;
  const server = createServer({ key, cert }, (request, answer) => void serve(request, answer));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const origin = `https://127.0.0.1:${port}`;

  async function serve(request: IncomingMessage, answer: ServerResponse): Promise<void> {
    const body = await buffer(request);
    requests++;
    const name = request.url?.slice(1) ?? '';
    const refusal = refuse(name);
    if (refusal)
      return void answer.writeHead(refusal.status, { ...refusal.headers }).end('{"reason":"as asked"}');
    const device = devices.get(name);
    if (!device) return void answer.writeHead(410).end();
    const subject = subjectOf(request.headers.authorization, device.publicKey);
    if (subject === undefined) return void answer.writeHead(403).end('{"reason":"BadJwtToken"}');
    try {
      const text = decrypt(body, device);
      received.push({
        device: name,
        message: z.record(z.string(), z.unknown()).parse(JSON.parse(text)),
        size: Buffer.byteLength(text),
        ttl: Number(request.headers.ttl),
        urgency: String(request.headers.urgency),
        topic: z
          .string()
          .regex(/^[\w-]{1,32}$/)
          .parse(request.headers.topic),
        subject,
      });
    } catch {
      return void answer.writeHead(400).end();
    }
    if (silent) unanswered.push(answer);
    else answer.writeHead(201, { location: `${origin}/message` }).end();
  }

  /** Whom the sender names as its operator; undefined when the signature is not of the key that the device subscribed with. */
  function subjectOf(authorization = '', publicKey: string): string | undefined {
    const [, jwt = '', sentKey] = /^vapid t=([\w.-]+), ?k=([\w-]+)$/.exec(authorization) ?? [];
    const [head = '', claims = '', signature = ''] = jwt.split('.');
    if (sentKey !== publicKey) return undefined;
    const signed = Buffer.from(`${head}.${claims}`);
    const proof = { key: toKeyObject(publicKey), dsaEncoding: 'ieee-p1363' } as const;
    if (!verify('sha256', signed, proof, Buffer.from(signature, 'base64url'))) return undefined;
    if (!jwtHeader.safeParse(parsed(head)).success) return undefined;
    const { aud, exp, sub } = jwtClaims.parse(parsed(claims));
    const leftSeconds = exp - Date.now() / 1_000;
    return aud === origin && leftSeconds > 0 && leftSeconds <= 24 * 3_600 ? sub : undefined;
  }

  return {
    /** What PUSH_HOSTS names. */
    host: `127.0.0.1:${port}`,
    origin,
    /** A browser that subscribes with the product's key: what PushManager.subscribe() returns. */
    subscribe(publicKey: string, name = randomBytes(8).toString('hex')) {
      const keys = createECDH('prime256v1');
      keys.generateKeys();
      const auth = randomBytes(16);
      devices.set(name, { keys, auth, publicKey });
      const [p256dh, secret] = [keys.getPublicKey('base64url'), auth.toString('base64url')];
      return {
        name,
        subscription: { endpoint: `${origin}/${name}`, keys: { p256dh, auth: secret }, publicKey },
      };
    },
    /** The user has withdrawn the permission. */
    unsubscribe: (name: string) => void devices.delete(name),
    received: () => [...received],
    to: (device: string) => received.filter((push) => push.device === device),
    requests: () => requests,
    refuse(how: (device: string) => PushRefusal | undefined) {
      refuse = how;
    },
    /** Accepts messages without an answer, until the returned function is called: then it hangs up on those. */
    keepSilent() {
      silent = true;
      return () => {
        silent = false;
        for (const answer of unanswered.splice(0)) answer.destroy();
      };
    },
    async stop() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
export type PushService = Awaited<ReturnType<typeof startPushService>>;

const parsed = (part: string): unknown => JSON.parse(Buffer.from(part, 'base64url').toString());

function toKeyObject(publicKey: string) {
  const point = Buffer.from(publicKey, 'base64url');
  const [x, y] = [point.subarray(1, 33).toString('base64url'), point.subarray(33).toString('base64url')];
  return createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' });
}

/** RFC 8291, section 3.4, over RFC 8188 with one record. @throws when the message is not for these keys */
function decrypt(body: Buffer, { keys, auth }: { keys: ECDH; auth: Buffer }): string {
  const salt = body.subarray(0, 16);
  const sender = body.subarray(21, 21 + body.readUInt8(20));
  const derive = (secret: Uint8Array, from: Uint8Array, info: string | Buffer, length: number) =>
    Buffer.from(hkdfSync('sha256', secret, from, info, length));
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), keys.getPublicKey(), sender]);
  const secret = derive(keys.computeSecret(sender), auth, info, 32);
  const key = derive(secret, salt, 'Content-Encoding: aes128gcm\0', 16);
  const nonce = derive(secret, salt, 'Content-Encoding: nonce\0', 12);
  const record = body.subarray(21 + sender.length);
  const decipher = createDecipheriv('aes-128-gcm', key, nonce);
  decipher.setAuthTag(record.subarray(-16));
  const padded = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()]);
  const end = padded.lastIndexOf(2);
  if (end < 0 || padded.subarray(end + 1).some((byte) => byte !== 0)) throw new Error('the padding is wrong');
  return padded.subarray(0, end).toString();
}
