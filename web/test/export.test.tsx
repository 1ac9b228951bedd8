import { page } from 'vitest/browser';
import * as endpoints from '../src/api/endpoints.ts';
import { expect, keepsCases, settle, showApp, signedIn, test } from './component-test.tsx';
import { PRO_USER, savedCase } from './samples.ts';

const link = () => page.getByRole('link', { name: 'Export CSV' });
const heading = () => page.getByRole('heading', { name: 'WAC0000000004' });

test('a pro user can export the saved cases', async ({ api }) => {
  signedIn(api, PRO_USER);
  keepsCases(api, [savedCase('WAC0000000004')]);
  api.answers(endpoints.listWatches, []);
  await showApp('/saved-cases');
  await expect.element(link()).toHaveAttribute('href', '/api/saved-cases.csv');
  await expect.element(link()).toHaveAttribute('download');
});

test('a free user is offered no export', async ({ api }) => {
  signedIn(api);
  keepsCases(api, [savedCase('WAC0000000004')]);
  await showApp('/saved-cases');
  await expect.element(heading()).toBeVisible();
  await expect.element(link()).not.toBeInTheDocument();
});

test('an empty list is not exported', async ({ api }) => {
  signedIn(api, PRO_USER);
  await showApp('/saved-cases');
  await expect.element(page.getByText('No saved cases yet')).toBeVisible();
  await settle();
  await expect.element(link()).not.toBeInTheDocument();
});
