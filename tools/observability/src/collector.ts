import { fileURLToPath } from 'node:url';
import { goProgram } from '@casewatch/dev-stack/tools/go-program';

/** Returns the path of the OpenTelemetry collector with the parts that `collector/main.go` names; built the first time. */
export function collectorProgram(): Promise<string> {
  return goProgram({
    moduleFolder: fileURLToPath(new URL('../collector/', import.meta.url)),
    name: 'otelcol',
    package: '.',
  });
}
