/** Draws the icons of the installed app from `web/public/favicon.svg`; run again when the mark changes. */
import { readFile, writeFile } from 'node:fs/promises';
import { findChromium } from '@casewatch/testing/chromium';
import { chromium } from '@playwright/test';

const folder = new URL('../../web/public/', import.meta.url);
const mark = await readFile(new URL('favicon.svg', folder), 'utf8');
const tile = /<rect[^>]*fill="(#\w+)"/.exec(mark)?.[1];
if (tile === undefined) throw new Error('favicon.svg has no tile with a color');

/** Systems cut maskable icons and Apple's to a shape of their own: the mark stays within the middle 80 %. */
const ICONS = [
  { file: 'icon-192.png', size: 192, ground: undefined },
  { file: 'icon-512.png', size: 512, ground: undefined },
  { file: 'icon-maskable-512.png', size: 512, ground: tile },
  { file: 'apple-touch-icon.png', size: 180, ground: tile },
];

const { executablePath, args } = await findChromium(chromium.executablePath());
const browser = await chromium.launch({ args, ...(executablePath ? { executablePath } : {}) });
const page = await browser.newPage();
for (const { file, size, ground } of ICONS) {
  const address = await page.evaluate(draw, { mark, size, ground });
  await writeFile(new URL(file, folder), Buffer.from(address.slice(address.indexOf(',') + 1), 'base64'));
}
await browser.close();

/** In the page: the mark as the address of a PNG; on a ground it fills, smaller. */
async function draw({ mark, size, ground }: { mark: string; size: number; ground: string | undefined }) {
  const image = new Image();
  image.src = `data:image/svg+xml,${encodeURIComponent(mark.replace('<svg', `<svg width="${size}" height="${size}"`))}`;
  await image.decode();
  const canvas = Object.assign(document.createElement('canvas'), { width: size, height: size });
  const context = canvas.getContext('2d');
  if (!context) throw new Error('no canvas');
  const drawn = ground === undefined ? size : size * 0.8;
  if (ground !== undefined) {
    context.fillStyle = ground;
    context.fillRect(0, 0, size, size);
  }
  context.drawImage(image, (size - drawn) / 2, (size - drawn) / 2, drawn, drawn);
  return canvas.toDataURL('image/png');
}
