import { describe, expect, it } from 'vitest';
import { bars, CHART, linePath, niceTop } from './chart-shapes.ts';

describe('niceTop', () => {
  it.each([
    [0, 1],
    [1, 1],
    [3, 5],
    [10, 10],
    [11, 20],
    [420, 500],
    [501, 1000],
  ])('of %d is %d', (value, top) => {
    expect(niceTop(value)).toBe(top);
  });
});

describe('bars', () => {
  it('stand on the bottom, in proportion, inside the box', () => {
    const [none, half, full] = bars([0, 5, 10], 10);
    expect(none?.height).toBe(0);
    expect(half).toMatchObject({ height: CHART.height / 2, y: CHART.height / 2 });
    expect(full).toMatchObject({ height: CHART.height, y: 0 });
    expect((full?.x ?? 0) + (full?.width ?? 0)).toBeLessThanOrEqual(CHART.width);
  });

  it('can be seen however small the value is', () => {
    expect(bars([1, 1_000_000], 1_000_000)[0]?.height).toBe(2);
  });
});

describe('linePath', () => {
  it('joins neighbours and breaks at a gap', () => {
    const path = linePath([0, 10, null, 10, 0], 10);
    expect(path.match(/M/g)).toHaveLength(2);
    expect(path.match(/L/g)).toHaveLength(2);
  });

  it('shows a value that stands alone', () => {
    expect(linePath([null, 10, null], 10)).toBe('M186.7 0h106.7');
  });

  it('is empty without a value', () => {
    expect(linePath([null, null], 10)).toBe('');
    expect(linePath([], 10)).toBe('');
  });
});
