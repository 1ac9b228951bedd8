import { loginBody, signupBody } from '@casewatch/contracts/identity';
import { describe, expect, it } from 'vitest';
import { errorsByField, findFieldErrors } from './field-errors.ts';

describe('findFieldErrors', () => {
  it('finds nothing wrong with a good form', () => {
    expect(
      findFieldErrors(loginBody, ['email', 'password'], { email: 'ana@example.test', password: 'x' }),
    ).toEqual({});
  });

  it('says what the sign-in form needs', () => {
    expect(findFieldErrors(loginBody, ['email', 'password'], { email: 'ana', password: '' })).toEqual({
      email: 'Invalid email address',
      password: 'Password is required',
    });
  });

  it('says what the sign-up form needs, one message for each field', () => {
    const empty = { email: '', password: 'short', firstName: ' ', lastName: '' };
    expect(findFieldErrors(signupBody, ['email', 'password', 'firstName', 'lastName'], empty)).toEqual({
      email: 'Invalid email address',
      password: 'Password must be at least 8 characters',
      firstName: 'First name is required',
      lastName: 'Last name is required',
    });
  });
});

describe('errorsByField', () => {
  it('keeps the first complaint about each field and drops the rest', () => {
    const details = [
      { path: 'email', message: 'Invalid email address' },
      { path: 'email', message: 'Too long' },
      { path: 'somethingElse', message: 'Unknown' },
    ];
    expect(errorsByField(['email', 'password'], details)).toEqual({ email: 'Invalid email address' });
  });
});
