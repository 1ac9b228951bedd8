import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import tls from 'node:tls';
import { createKafkaClient } from '@casewatch/messaging/kafka/kafka-client';
import { readSettings } from '@casewatch/service-kit/settings/settings';
import { startScraped } from '@casewatch/testing/scraped-telemetry';
import { makeSelfSigned } from '@casewatch/testing/self-signed';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { kafkaConnectionOf, kafkaSettings, measureClientCertificate } from '../src/kafka-settings.ts';

test('a certificate in a file is read again for each connection, and the metrics say when it expires', async () => {
  const [older, newer] = [await makeSelfSigned(), await makeSelfSigned()];
  const shown: string[] = [];
  const broker = tls.createServer({ ...newer, requestCert: true, rejectUnauthorized: false }, (socket) => {
    shown.push(socket.getPeerX509Certificate()?.fingerprint256 ?? 'none');
    socket.destroy();
  });
  await once(broker.listen(0, '127.0.0.1'), 'listening');
  const keyFile = `${older.certFile}.key`;
  writeFileSync(keyFile, older.key);
  const settings = readSettings(kafkaSettings, {
    KAFKA_BROKERS: `localhost:${(broker.address() as AddressInfo).port}`,
    KAFKA_SSL: 'true',
    KAFKA_SSL_CA: newer.cert,
    KAFKA_SSL_CERT: older.certFile,
    KAFKA_SSL_KEY: keyFile,
  });
  const connection = kafkaConnectionOf(settings);
  if (!connection) throw new Error('no brokers');
  const kafka = createKafkaClient({ ...connection, clientId: 'test' }, pino({ level: 'silent' }));
  const isHungUpOn = () => expect(kafka.admin({ retry: { retries: 0 } }).connect()).rejects.toThrow();
  await isHungUpOn();
  writeFileSync(older.certFile, newer.cert);
  writeFileSync(keyFile, newer.key);
  await isHungUpOn();
  const [first, second] = [older, newer].map(({ cert }) => new X509Certificate(cert));
  expect([...new Set(shown)]).toEqual([first?.fingerprint256, second?.fingerprint256]);

  const telemetry = await startScraped();
  measureClientCertificate(telemetry.meter, settings);
  const read = await telemetry.scrape();
  expect(read.casewatch_client_certificate_expiry_timestamp_seconds).toBe(
    (second?.validToDate.getTime() ?? 0) / 1_000,
  );
  await telemetry.stop();
  broker.close();
  for (const { remove } of [older, newer]) remove();
});
