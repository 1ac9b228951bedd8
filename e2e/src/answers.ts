import type { Page, Request } from '@playwright/test';

interface Call {
  method: string;
  path: string | RegExp;
}

/** Answers the page's calls itself, with a status and a JSON body, until the test is over or `end` is called. */
export async function answerWith(page: Page, call: Call, status: number, body: unknown) {
  return intercept(page, call, async (route) => route.fulfill({ status, json: body }));
}

/** Lets the page's calls fail as they do without a network. */
export async function loseConnection(page: Page, call: Call) {
  return intercept(page, call, async (route) => route.abort('internetdisconnected'));
}

/** Keeps the product's answers back until `release` is called: a slow network whose end the test decides. */
export async function holdAnswers(page: Page, call: Call) {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await intercept(page, call, async (route) => {
    await released;
    await route.fallback();
  });
  return { release };
}

type Handle = (route: Parameters<Parameters<Page['route']>[1]>[0]) => Promise<void>;

async function intercept(page: Page, { method, path }: Call, handle: Handle) {
  const matches = (url: URL) => (typeof path === 'string' ? url.pathname === path : path.test(url.pathname));
  const handler: Handle = (route) => (route.request().method() === method ? handle(route) : route.fallback());
  await page.route(matches, handler);
  return { end: () => page.unroute(matches, handler) };
}

/** Returns the page's calls of one kind as they go out, in order; grows while the test runs. */
export function recordCalls(page: Page, { method, path }: { method: string; path: string }): Request[] {
  const calls: Request[] = [];
  page.on('request', (request) => {
    if (request.method() === method && new URL(request.url()).pathname === path) calls.push(request);
  });
  return calls;
}
