import type { OwnKafkaOptions } from './kafka.ts';

/** What a broker is set to besides what every one is: names and values as in `server.properties`. */
export function kafkaServerSettings({ settings = {}, account }: OwnKafkaOptions): Record<string, string> {
  return { ...(account ? signedIn(account) : {}), ...settings };
}

/** Its only listener for clients, which has the name of its old protocol, asks for an account. */
function signedIn({ username, password }: NonNullable<OwnKafkaOptions['account']>): Record<string, string> {
  const login = 'org.apache.kafka.common.security.plain.PlainLoginModule required';
  return {
    'listener.security.protocol.map': 'PLAINTEXT:SASL_PLAINTEXT,CONTROLLER:PLAINTEXT',
    'inter.broker.listener.name': 'PLAINTEXT',
    'sasl.enabled.mechanisms': 'PLAIN',
    'sasl.mechanism.inter.broker.protocol': 'PLAIN',
    'listener.name.plaintext.plain.sasl.jaas.config': `${login} username="${username}" password="${password}" user_${username}="${password}";`,
  };
}
