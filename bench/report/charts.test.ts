import { expect, test } from 'vitest';
import { lineChart } from './charts.ts';

const chart = lineChart({
  title: 'A < B',
  xLabel: 'x',
  yLabel: 'y',
  series: [
    {
      name: 'one & all',
      points: [
        [0, 0],
        [10, 50],
      ],
    },
  ],
});

test('a chart loads nothing and escapes its texts', () => {
  expect(chart).not.toMatch(/href|url\(|<script|<image/);
  expect(chart).toContain('A &lt; B');
  expect(chart).toContain('one &amp; all');
});

test('a line begins at the origin and ends at the far corner when it reaches both axes’ ends', () => {
  expect(chart).toContain('points="80.0,296.0 700.0,40.0"');
});
