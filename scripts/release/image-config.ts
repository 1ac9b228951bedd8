/** What an image says about running it, with the names of OCI's image configuration. */
export interface ImageConfig {
  readonly Env: readonly string[];
  readonly Labels: Readonly<Record<string, string>>;
  readonly [name: string]: unknown;
}

/**
 * Reads the configuration from the last stage of a Dockerfile, so that an image that is put together without an engine runs
 * like one that is built. @throws for an instruction that it does not know
 */
export function readImageConfig(dockerfile: string, args: Readonly<Record<string, string>>): ImageConfig {
  const stage = dockerfile.slice(dockerfile.lastIndexOf('\nFROM ') + 1);
  const lines = stage
    .replace(/^\s*#.*\n/gm, '')
    .replace(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line.trim());
  const known = new Map(Object.entries(args));
  const filled = (text: string) => text.replace(/\$\{(\w+)\}/g, (_, name: string) => known.get(name) ?? '');
  const env: string[] = [];
  const labels: Record<string, string> = {};
  const rest: Record<string, unknown> = {};
  for (const line of lines) {
    const [, word = '', given = ''] = /^(\w+)\s+(.*)$/.exec(line) ?? [];
    const text = filled(given);
    if (word === 'ENV') env.push(...pairsOf(text).map(([name, value]) => `${name}=${value}`));
    else if (word === 'LABEL') Object.assign(labels, Object.fromEntries(pairsOf(text)));
    else if (word === 'WORKDIR') rest.WorkingDir = text;
    else if (word === 'USER') rest.User = text;
    else if (word === 'EXPOSE') rest.ExposedPorts = { [`${text}/tcp`]: {} };
    else if (word === 'STOPSIGNAL') rest.StopSignal = text;
    else if (word === 'ENTRYPOINT') Object.assign(rest, { Entrypoint: JSON.parse(text), Cmd: null });
    else if (word === 'HEALTHCHECK') rest.Healthcheck = healthcheckOf(text);
    else if (word === 'ARG') {
      const [name = '', value = ''] = text.split('=');
      if (!known.has(name)) known.set(name, value);
    } else if (!['FROM', 'COPY', 'RUN'].includes(word)) throw new Error(`Dockerfile: unknown line ${line}`);
  }
  return { ...rest, Env: env, Labels: labels };
}

/** Returns the base's configuration with ours over it; of two variables with one name ours counts. */
export function mergeConfig(
  base: { Env?: string[] | undefined; [name: string]: unknown },
  own: ImageConfig,
): Record<string, unknown> {
  const nameOf = (pair: string) => pair.slice(0, pair.indexOf('='));
  const ours = new Set(own.Env.map(nameOf));
  return {
    ...base,
    ...own,
    Env: [...(base.Env ?? []).filter((pair) => !ours.has(nameOf(pair))), ...own.Env],
  };
}

const pairsOf = (text: string): [string, string][] =>
  [...text.matchAll(/([\w.]+)=(?:"([^"]*)"|(\S+))/g)].map(([, name = '', quoted, bare]) => [
    name,
    quoted ?? bare ?? '',
  ]);

/** Times in nanoseconds, as Docker writes them. */
function healthcheckOf(text: string): Record<string, unknown> {
  const [options = '', command = '[]'] = text.split(' CMD ');
  const all = Object.fromEntries(
    [...options.matchAll(/--([\w-]+)=(\d+)([sm]?)/g)].map(([, name = '', count, unit]) => [
      name,
      Number(count) * (unit === 'm' ? 60e9 : unit === 's' ? 1e9 : 1),
    ]),
  );
  return {
    Test: ['CMD', ...(JSON.parse(command.trim()) as string[])],
    Interval: all.interval,
    Timeout: all.timeout,
    StartPeriod: all['start-period'],
    Retries: all.retries,
  };
}
