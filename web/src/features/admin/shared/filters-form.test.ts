import { describe, expect, it } from 'vitest';
import { fromLocalField, toLocalField } from './filters-form.tsx';

describe('a datetime-local field', () => {
  it('shows and gives the same moment, to the minute', () => {
    expect(fromLocalField(toLocalField('2026-03-04T05:06:07.000Z'))).toBe('2026-03-04T05:06:00.000Z');
  });

  it('takes seconds that a browser adds', () => {
    expect(fromLocalField('2026-03-04T05:06:59')).toBe(fromLocalField('2026-03-04T05:06'));
  });

  it.each(['', 'soon', '2026-13-01T00:00'])('is empty for %j', (text) => {
    expect(fromLocalField(text)).toBeUndefined();
    expect(toLocalField(text)).toBe('');
  });
});
