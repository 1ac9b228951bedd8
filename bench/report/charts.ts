/** Line charts as SVG text, with no library: for a page that is opened from a file and for pictures in docs/. */
export interface Series {
  readonly name: string;
  readonly points: readonly (readonly [x: number, y: number])[];
}

export interface LineChart {
  readonly title: string;
  readonly xLabel: string;
  readonly yLabel: string;
  readonly series: readonly Series[];
}

const WIDTH = 720;
const HEIGHT = 340;
const LEFT = 80;
const RIGHT = 20;
const TOP = 40;
const BOTTOM = 44;
const LEGEND_LINE = 18;
const TICKS = 5;
/** Distinct for people who see no colors, too, together with the dashes (Okabe and Ito). */
const COLORS = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#e69f00', '#56b4e9', '#000000'];
const DASHES = ['', '6 3', '2 2', '8 3 2 3', '', '6 3', '2 2'];

/** Draws a chart whose axes begin at 0, with its legend below. */
export function lineChart({ title, xLabel, yLabel, series }: LineChart): string {
  const points = series.flatMap((one) => one.points);
  const most = (place: 0 | 1) => niceMost(Math.max(1, ...points.map((point) => point[place])));
  const [mostX, mostY] = [most(0), most(1)];
  const x = (value: number) => LEFT + (value / mostX) * (WIDTH - LEFT - RIGHT);
  const y = (value: number) => HEIGHT - BOTTOM - (value / mostY) * (HEIGHT - TOP - BOTTOM);
  const ticks = Array.from({ length: TICKS + 1 }, (_, n) => n / TICKS);
  const height = HEIGHT + Math.ceil(series.length / 2) * LEGEND_LINE + 6;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="sans-serif" font-size="12" role="img" aria-label="${escapeText(title)}">`,
    `<rect width="${WIDTH}" height="${height}" fill="#fff"/>`,
    `<text x="${LEFT}" y="22" font-size="15" font-weight="bold">${escapeText(title)}</text>`,
    ...ticks.flatMap((share) => [
      `<line x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${at(y(share * mostY))}" y2="${at(y(share * mostY))}" stroke="#ddd"/>`,
      `<text x="${LEFT - 6}" y="${at(y(share * mostY) + 4)}" text-anchor="end">${short(share * mostY)}</text>`,
      `<text x="${at(x(share * mostX))}" y="${HEIGHT - BOTTOM + 16}" text-anchor="middle">${short(share * mostX)}</text>`,
    ]),
    `<text x="${(LEFT + WIDTH - RIGHT) / 2}" y="${HEIGHT - 10}" text-anchor="middle">${escapeText(xLabel)}</text>`,
    `<text transform="translate(16 ${(HEIGHT - BOTTOM + TOP) / 2}) rotate(-90)" text-anchor="middle">${escapeText(yLabel)}</text>`,
    ...series.flatMap(({ name, points: line }, nth) => {
      const stroke = `stroke="${COLORS[nth % COLORS.length]}" stroke-width="2" stroke-dasharray="${DASHES[nth % DASHES.length]}"`;
      const legendX = LEFT + (nth % 2) * 320;
      const legendY = HEIGHT + Math.floor(nth / 2) * LEGEND_LINE + 8;
      return [
        `<polyline fill="none" ${stroke} points="${line.map(([px, py]) => `${at(x(px))},${at(y(py))}`).join(' ')}"/>`,
        `<line x1="${legendX}" x2="${legendX + 26}" y1="${legendY}" y2="${legendY}" ${stroke}/>`,
        `<text x="${legendX + 32}" y="${legendY + 4}">${escapeText(name)}</text>`,
      ];
    }),
    '</svg>',
  ].join('\n');
}

export function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

/** The next 1, 2, 2.5 or 5 of its power of ten. */
function niceMost(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  return ([1, 2, 2.5, 5, 10].find((step) => step * power >= value) ?? 10) * power;
}

function short(value: number): string {
  if (value >= 1e6) return `${Number((value / 1e6).toFixed(2))} M`;
  if (value >= 1e4) return `${Number((value / 1e3).toFixed(1))} k`;
  return String(Number(value.toFixed(2)));
}

const at = (value: number) => value.toFixed(1);
