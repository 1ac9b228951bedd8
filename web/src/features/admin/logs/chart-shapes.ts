/** The box that charts are drawn in; it is stretched to the width there is. */
export const CHART = { width: 480, height: 96 } as const;

/** Returns the least of 1, 2, 5, 10, 20, 50 ... that is not below `value`: the top of a scale. */
export function niceTop(value: number): number {
  if (value <= 1) return 1;
  const magnitude = 10 ** Math.floor(Math.log10(value));
  const step = [1, 2, 5, 10].find((factor) => factor * magnitude >= value) ?? 10;
  return step * magnitude;
}

export interface Bar {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Returns one bar for each value, side by side, standing on the bottom of the box; a value above 0 can always be seen. */
export function bars(values: readonly number[], top: number): Bar[] {
  const slot = CHART.width / Math.max(values.length, 1);
  return values.map((value, at) => {
    const height = value <= 0 ? 0 : Math.max(2, (Math.min(value, top) / top) * CHART.height);
    return { x: at * slot + slot * 0.12, y: CHART.height - height, width: slot * 0.76, height };
  });
}

/**
 * Returns the path of a line through the values, each in the middle of its slot; it is broken where there is no value.
 * A value alone between gaps becomes a short stroke.
 */
export function linePath(values: readonly (number | null)[], top: number): string {
  const slot = CHART.width / Math.max(values.length, 1);
  let path = '';
  values.forEach((value, at) => {
    if (value === null) return;
    const x = round((at + 0.5) * slot);
    const y = round(CHART.height - (Math.min(value, top) / top) * CHART.height);
    const isAlone = isGap(values[at - 1]) && isGap(values[at + 1]);
    if (isAlone) path += `M${round(x - slot / 3)} ${y}h${round((slot * 2) / 3)}`;
    else path += `${isGap(values[at - 1]) ? 'M' : 'L'}${x} ${y}`;
  });
  return path;
}

function isGap(value: number | null | undefined): boolean {
  return value === null || value === undefined;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
