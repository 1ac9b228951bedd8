/**
 * Tells zod, before it is loaded, to compile no checks: its probe whether it may would be reported as a violation of the content security
 * policy. `z.config` comes too late: schemas are made while the modules that import it are loaded.
 */
export function keepZodFromEval(scope: object = globalThis): void {
  Reflect.set(scope, NAME, { ...Reflect.get(scope, NAME), jitless: true });
}

const NAME = '__zod_globalConfig';
