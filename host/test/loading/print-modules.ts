import { registerHooks } from 'node:module';

/** Imported before a program: it then says of each module that it reads where that is, and on SIGUSR2 that this was all so far. */
registerHooks({
  load(url, context, next) {
    process.stderr.write(`read ${url}\n`);
    return next(url, context);
  },
});
process.on('SIGUSR2', () => process.stderr.write('read all\n'));
