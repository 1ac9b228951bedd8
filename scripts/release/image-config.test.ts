import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { mergeConfig, readImageConfig } from './image-config.ts';

const dockerfile = readFileSync(new URL('../../Dockerfile', import.meta.url), 'utf8');
const config = readImageConfig(dockerfile, { VERSION: '9.8.7', REVISION: 'abc' });

test('an image that is put together is run as the Dockerfile says', () => {
  expect(config).toMatchObject({
    WorkingDir: '/app',
    User: '1000:1000',
    StopSignal: 'SIGTERM',
    Entrypoint: ['node', '/app/dist/container.js'],
    Cmd: null,
    ExposedPorts: { '8080/tcp': {} },
    Healthcheck: { Interval: 10e9, Timeout: 3e9, StartPeriod: 120e9, Retries: 3 },
  });
  expect(config.Env).toContain('NODE_OPTIONS=--max-semi-space-size=4');
  expect(config.Env).toContain('PORT=8080');
  expect(config.Labels).toMatchObject({
    'org.opencontainers.image.title': 'Casewatch',
    'org.opencontainers.image.version': '9.8.7',
    'org.opencontainers.image.revision': 'abc',
  });
});

test('what the base sets stays unless the product sets it', () => {
  const merged = mergeConfig({ Env: ['PATH=/bin', 'PORT=1'], Cmd: ['node'], Shell: ['sh'] }, config);
  expect(merged).toMatchObject({ Cmd: null, Shell: ['sh'] });
  expect(merged.Env).toEqual(['PATH=/bin', ...config.Env]);
});

test('a line of the Dockerfile that nothing is known about is refused', () => {
  expect(() => readImageConfig('x\nFROM a\nVOLUME /x\n', {})).toThrow('unknown line VOLUME /x');
});

test('packages are installed before the sources are copied, so that a change of these installs none', () => {
  const stage = dockerfile.slice(dockerfile.indexOf(' AS build'), dockerfile.lastIndexOf('\nFROM '));
  const steps = [...stage.matchAll(/^COPY .*|installPackages\(|scripts\/build\.mjs/gm)].map(([step]) => step);
  expect(steps).toEqual([
    'COPY --from=manifests /manifests ./',
    'installPackages(',
    'COPY . .',
    'scripts/build.mjs',
  ]);
});
