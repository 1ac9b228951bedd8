import { describe, expect, it } from 'vitest';
import { exactMoment, payloadText, sourceWords } from './log-words.ts';

describe('sourceWords', () => {
  it.each([
    ['monitor', 'Backend Service'],
    ['user', 'Website'],
    ['anything', 'Website'],
  ])('%s is shown as %s', (source, words) => {
    expect(sourceWords(source)).toBe(words);
  });
});

describe('payloadText', () => {
  it('sets JSON out in lines, also JSON that came as text', () => {
    const lines = '{\n  "a": 1\n}';
    expect(payloadText({ a: 1 })).toBe(lines);
    expect(payloadText('{"a":1}')).toBe(lines);
  });

  it('leaves other text, also a JSON that was cut off, as it is', () => {
    expect(payloadText('<html>')).toBe('<html>');
    expect(payloadText('{"a":1,"b')).toBe('{"a":1,"b');
  });

  it.each([null, undefined, ''])('is null for %j', (payload) => {
    expect(payloadText(payload)).toBeNull();
  });
});

it('an unreadable moment is no crash', () => {
  expect(exactMoment('x')).toBe('Invalid date');
});
