/** Settings whose URL may get its login from two others: `DATABASE_URL` and those of the services, `REDIS_URL`, `SMTP_URL`. */
const WITH_LOGIN = /^(?:(?:\w+_)?DATABASE(?:_DIRECT)?|REDIS|SMTP)_URL$/;
const URL_PARTS = /^(?<scheme>[a-z+]+:\/\/)(?:(?<login>[^@/?#]*)@)?(?<rest>.*)$/s;

/**
 * Puts `<NAME>_USERNAME` and `<NAME>_PASSWORD` into `<NAME>_URL`, percent-encoded, where a secret has them apart and they may contain any
 * character. `DATABASE_DIRECT_URL` and its siblings take those of `DATABASE_URL`. Each wins over what the URL says; doing it twice changes
 * nothing.
 */
export function putLoginsIntoUrls(env: NodeJS.ProcessEnv): void {
  for (const [name, url] of Object.entries(env)) {
    if (!url || !WITH_LOGIN.test(name)) continue;
    const prefix = name.replace(/(?:_DIRECT)?_URL$/, '');
    const [username, password] = [env[`${prefix}_USERNAME`], env[`${prefix}_PASSWORD`]];
    const parts = URL_PARTS.exec(url)?.groups;
    if ((!username && !password) || !parts) continue;
    const [user = '', secret = ''] = (parts.login ?? '').split(/:(.*)/s);
    const login = `${username ? encodeURIComponent(username) : user}:${password ? encodeURIComponent(password) : secret}`;
    env[name] = `${parts.scheme}${login}@${parts.rest}`;
  }
}
