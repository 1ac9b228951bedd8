import { findChromium } from '@casewatch/testing/chromium';
import { chromium, type Page } from '@playwright/test';
import { post } from './post.ts';
import { startProduct } from './start-product.ts';
import { subscribe } from './subscribe.ts';

/**
 * `npm run bench:workspace`: the time from opening Saved Cases to its first rows, with 2,000 cases and with 20, interleaved in
 * one run; then the long tasks (over 50 ms) while all 2,000 are scrolled through. Ends with 1 if a goal is missed. Needs
 * a built web app.
 */
const ROUNDS = Number(process.env.ROUNDS ?? 15);
const RATIO_GOAL = 1.2;
const SIZES = [20, 2_000] as const;
const SCROLL_STEP = 400;
const LONG_TASK_MS = 50;

const product = await startProduct({
  RATE_LIMIT_PER_USER_PER_MINUTE: '100000',
  MONITORING_PERIOD_SCALE: '1',
});
const { executablePath, args } = await findChromium(chromium.executablePath());
const browser = await chromium.launch({ args, ...(executablePath ? { executablePath } : {}) });
try {
  const pages = new Map<number, Page>();
  for (const size of SIZES) pages.set(size, await personWith(size));
  const times = new Map<number, number[]>(SIZES.map((size) => [size, []]));
  for (let round = -2; round < ROUNDS; round++) {
    for (const [size, page] of round % 2 === 0 ? pages : [...pages].reverse()) {
      const ms = await firstRowsMs(page);
      if (round >= 0) times.get(size)?.push(ms);
    }
  }
  console.log('| saved cases | median ms to the first rows | least to most |\n|---|---|---|');
  for (const [size, all] of times) {
    const sorted = all.toSorted((a, b) => a - b);
    console.log(
      `| ${size} | ${median(all).toFixed(0)} | ${sorted[0]?.toFixed(0)} to ${sorted.at(-1)?.toFixed(0)} |`,
    );
  }
  const [few = 0, many = 0] = [...times.values()].map(median);
  const longTasks = await scrollThrough(pages.get(2_000));
  console.log(
    `\nratio ${(many / few).toFixed(2)} (goal ${RATIO_GOAL}); tasks over 50 ms while scrolling, by processor time: ${longTasks.cpu.join(', ') || 'none'} (goal: none), by the clock: ${longTasks.wall.length}`,
  );
  if (many / few > RATIO_GOAL || longTasks.cpu.length > 0) process.exitCode = 1;
} finally {
  await browser.close();
  await product.stop();
}

/** A pro user with so many saved cases, and a page that shows them as a table. */
async function personWith(size: number): Promise<Page> {
  const context = await browser.newContext({
    baseURL: product.url,
    viewport: { width: 1280, height: 800 },
  });
  await context.addInitScript(measureFirstRows);
  await post(context.request, '/api/auth/signup', {
    email: `bench${size}@example.test`,
    password: 'measured in a browser',
    firstName: 'B',
    lastName: String(size),
  });
  await subscribe(context.request, product);
  for (let start = 0; start < size; start += 500) {
    const cases = Array.from({ length: Math.min(500, size - start) }, (_, nth) => ({
      receiptNumber: `SRC${2_190_000_000 + start + nth}`,
      nickname: `Client ${start + nth}`,
      tags: nth % 3 === 0 ? ['Family'] : [],
    }));
    await post(context.request, '/api/saved-cases/import', { cases });
  }
  return context.newPage();
}

/** Runs in the page before anything else: notes when the first row of the table is there. */
function measureFirstRows(): void {
  localStorage.setItem('casewatch-saved-cases-view', 'table');
  const observer = new MutationObserver(() => {
    if (!document.querySelector('.case-table tbody tr')) return;
    observer.disconnect();
    performance.mark('first rows');
  });
  observer.observe(document, { childList: true, subtree: true });
}

async function firstRowsMs(page: Page): Promise<number> {
  await page.goto('/saved-cases');
  await page.waitForFunction(() => performance.getEntriesByName('first rows').length > 0);
  return page.evaluate(() => performance.getEntriesByName('first rows')[0]?.startTime ?? 0);
}

/** The lengths of the tasks over 50 ms while the whole table is scrolled through, once all of its pages are read. */
async function scrollThrough(page: Page | undefined): Promise<ReturnType<typeof longTasksOf>> {
  if (!page) throw new Error('no page');
  await firstRowsMs(page);
  await page.waitForFunction(
    () => {
      window.scrollTo({ top: document.documentElement.scrollHeight, behavior: 'instant' });
      return !document.querySelector('.more-cases');
    },
    null,
    { polling: 200, timeout: 120_000 },
  );
  await browser.startTracing(page, { categories: ['toplevel', 'devtools.timeline'] });
  await page.evaluate(async (step) => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    for (let top = document.documentElement.scrollHeight; top > 0; top -= step) {
      window.scrollTo({ top, behavior: 'instant' });
      await frame();
    }
  }, SCROLL_STEP);
  return longTasksOf(JSON.parse((await browser.stopTracing()).toString()).traceEvents);
}

interface TraceEvent {
  name: string;
  pid: number;
  tid: number;
  /** Microseconds on the wall and on the processor. */
  dur?: number;
  tdur?: number;
  args?: { name?: string };
}

/** By processor time: what else the machine does must not count as the page's work. */
function longTasksOf(events: readonly TraceEvent[]): { cpu: number[]; wall: number[] } {
  const mains = new Set(
    events.filter(({ args }) => args?.name === 'CrRendererMain').map(({ pid, tid }) => `${pid} ${tid}`),
  );
  const tasks = events.filter(({ name, pid, tid }) => /RunTask$/.test(name) && mains.has(`${pid} ${tid}`));
  if (!tasks.some(({ tdur }) => tdur)) throw new Error('the trace has no processor times');
  const long = (times: number[]) =>
    times.map((time) => Math.round(time / 1_000)).filter((ms) => ms > LONG_TASK_MS);
  return {
    cpu: long(tasks.map(({ tdur = 0 }) => tdur)),
    wall: long(tasks.map(({ dur = 0 }) => dur)),
  };
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
