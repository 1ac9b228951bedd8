import { describe, expect, it } from 'vitest';
import { statusAppearance } from './status-badge.tsx';

describe('statusAppearance', () => {
  it.each([
    ['Case Was Approved', 'default', 'check-circle'],
    ['CASE APPROVED AND MAILED', 'default', 'check-circle'],
    ['Case Was Denied', 'destructive', 'x-circle'],
    ['Case Was Rejected', 'destructive', 'x-circle'],
    ['Case Is Pending', 'secondary', 'clock'],
    ['Case Was Received', 'secondary', 'clock'],
    ['Card Was Mailed To Me', 'secondary', 'circle'],
    ['', 'secondary', 'circle'],
    [null, 'secondary', 'circle'],
    [undefined, 'secondary', 'circle'],
  ] as const)('shows %j as %s with the icon %s', (status, variant, icon) => {
    expect(statusAppearance(status)).toEqual({ variant, icon });
  });
});
