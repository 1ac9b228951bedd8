import { registerHooks } from 'node:module';

/** Imported before a program: it then says of each module that it reads where that is. */
registerHooks({
  load(url, context, next) {
    process.stderr.write(`read ${url}\n`);
    return next(url, context);
  },
});
