import { LANGUAGES, type Language } from '@casewatch/contracts/languages';
import { DEFAULT_NOTIFICATION_SETTINGS } from '@casewatch/contracts/notification-choices';
import { onlineManager } from '@tanstack/react-query';
import { page, userEvent } from 'vitest/browser';
import * as endpoints from '../src/api/endpoints.ts';
import { expect, keepsCases, settle, showApp, signedIn } from './component-test.tsx';
import type { FakeApi } from './fake-api.ts';
import { caseResult, historyEntry, PRO_USER, pendingSurvey, savedCase } from './samples.ts';

/** A screen of the app as a user finds it. */
export interface Screen {
  path: string;
  /** What the API answers in addition to the defaults. */
  answers?: (api: FakeApi) => void;
  /** What is done once it is there. */
  steps?: () => Promise<unknown>;
  /** All that the app speaks, unless it is for administrators. */
  languages?: readonly Language[];
}

const NUMBER = 'EAC9999103403';
const TOKEN = '#a-token_of-43-characters-0123456789-ABCDEFG';
const CASE = savedCase(NUMBER, {
  nickname: 'Abuela',
  tags: ['Familia'],
  lastKnownStatus: 'Request for Additional Evidence Was Sent',
  formType: 'I-485',
  monitoringFrequency: 'weekly',
});
const RESULT = caseResult(NUMBER, {
  // In the agency's words, which are in English only.
  applicationOrPetitionType: 'I-485',
  caseStatus: 'Request for Additional Evidence Was Sent',
  formType: 'I-485',
  histCaseData: [historyEntry('Case Was Received', '2024-02-29 10:00:00')],
});

const signedOut = (api: FakeApi) => api.refuses(endpoints.getMe, 'SIGNED_OUT');
/** As the link of an e-mail opens it. */
const withToken = (api: FakeApi) => {
  window.location.hash = TOKEN;
  signedOut(api);
};
const withCase = (api: FakeApi) => {
  keepsCases(api, [CASE]);
  api.answers(endpoints.lookUpCase, RESULT);
};
/** Waits long enough for a screen that the development server has yet to compile. */
const isThere = (selector: string) =>
  expect.poll(() => document.querySelector(selector), { timeout: 10_000 }).not.toBeNull();

const FOR_USERS: Record<string, Screen> = {
  landing: { path: '/', answers: signedOut },
  'sign-in': { path: '/auth', answers: signedOut },
  'sign-up': { path: '/auth', answers: signedOut, steps: () => page.getByRole('tab').last().click() },
  'forgotten password': { path: '/forgot-password', answers: signedOut },
  'new password': { path: '/reset-password', answers: withToken },
  'proof of an address': { path: '/confirm-email', answers: withToken },
  'stop of an address change': { path: '/stop-email-change', answers: withToken },
  unsubscribe: { path: '/unsubscribe', answers: withToken },
  search: { path: '/' },
  'bulk search': { path: '/', steps: () => page.getByRole('tab').last().click() },
  'search results': { path: `/?receipt=${NUMBER}`, answers: withCase },
  case: { path: `/cases/${NUMBER}`, answers: withCase },
  'saved cases': { path: '/saved-cases', answers: withCase },
  'table of saved cases': {
    path: '/saved-cases',
    answers: (api) => {
      localStorage.setItem('casewatch-saved-cases-view', 'table');
      withCase(api);
    },
    // Loaded after the page.
    steps: () => isThere('table.case-table'),
  },
  'no saved cases': { path: '/saved-cases' },
  notifications: {
    path: '/saved-cases',
    answers: (api) =>
      api.answers(endpoints.listNotifications, [
        {
          id: '0198c0de-0000-7000-8000-119999103403',
          userId: PRO_USER.id,
          kind: 'status',
          receiptNumber: NUMBER,
          oldStatus: 'Case Was Received',
          newStatus: 'Case Was Approved',
          needsAction: false,
          createdAt: '2026-01-05T12:00:00.000Z',
          read: false,
          order: '1',
        },
      ]),
    steps: () => page.getByTestId('notifications-bell').click(),
  },
  'notification that is not found': {
    path: '/notifications/0198c0de-0000-7000-8000-119999103403',
    answers: (api) => api.refuses(endpoints.markNotificationRead, 'NOT_FOUND'),
  },
  profile: { path: '/profile', answers: (api) => api.answers(endpoints.listInvoices, []) },
  'notification choices': {
    path: '/profile/notifications',
    answers: (api) =>
      api.answers(endpoints.getNotificationSettings, {
        settings: {
          ...DEFAULT_NOTIFICATION_SETTINGS,
          email: { status: 'weekly', needsAction: 'never', digest: 'never' },
          quietHours: { from: '22:00', until: '07:00' },
        },
        emailOffered: true,
        pushOffered: true,
      }),
    steps: () => isThere('.notification-grid'),
  },
  'sign-in settings': { path: '/profile/security', steps: () => isThere('.section-nav') },
  'data of the account': { path: '/profile/data', steps: () => isThere('.section-nav') },
  upgrade: { path: '/upgrade', answers: (api) => signedIn(api) },
  'unknown page': { path: '/no-such-page' },
  'page that broke': {
    path: '/saved-cases',
    answers: (api) => api.responds(endpoints.listSavedCasesPage, 200, { cases: [null] }),
  },
  'server that does not answer': { path: '/saved-cases', answers: (api) => api.loses(endpoints.getMe) },
  'saved cases without a connection': {
    path: '/saved-cases',
    answers: withCase,
    steps: async () => {
      onlineManager.setOnline(false);
      await isThere('.offline-banner');
    },
  },
  'session that ended': {
    path: '/saved-cases',
    answers: (api) => {
      withCase(api);
      api.refuses(endpoints.removeSavedCase, 'SIGNED_OUT');
      api.refuses(endpoints.changeSavedCase, 'SIGNED_OUT');
    },
    steps: async () => {
      await page.getByRole('combobox', { name: /^Monitor/ }).selectOptions('daily');
      await isThere('[role="dialog"] input[type="password"]');
    },
  },
  'keyboard shortcuts': {
    path: '/saved-cases',
    steps: () =>
      expect
        .poll(async () => {
          // They are loaded after the screen.
          if (!document.querySelector('[role="dialog"]')) await userEvent.keyboard('?');
          return document.querySelector('[role="dialog"]');
        })
        .not.toBeNull(),
  },
  survey: {
    path: '/saved-cases',
    answers: (api) => {
      const { survey, questions } = pendingSurvey();
      // Written by an administrator, in one language.
      api.answers(endpoints.listPendingSurveys, [
        {
          survey: { ...survey, title: '¿Qué tal?', description: 'Dos minutos.' },
          questions: questions.map((question) => ({
            ...question,
            questionText: '¿Qué falta?',
            options: question.options.map((_, nth) => `Opción ${nth}`),
          })),
        },
      ]);
    },
    steps: () => isThere('[role="dialog"]'),
  },
};

const gate = (api: FakeApi) => {
  signedOut(api);
  api.answers(endpoints.getAdminSignInOptions, { provider: 'Example ID', passcode: true });
};
/** What is behind the gate has tests of its own: admin-logs.test.tsx, administrators.test.tsx, `@phone` in e2e. */
const FOR_ADMINISTRATORS: Record<string, Screen> = {
  'gate of the admin area': { path: '/admin', answers: gate, languages: ['en'] },
  'style guide': { path: '/styleguide', answers: signedOut, languages: ['en'] },
  'single sign-on that failed': {
    path: '/admin/single-sign-on?error=access_denied',
    answers: (api) => {
      gate(api);
      api.refuses(endpoints.finishSingleSignOn, 'SIGNED_OUT');
    },
    languages: ['en'],
  },
  'invitation of an administrator': {
    path: '/admin/invitation',
    answers: (api) => {
      withToken(api);
      api.answers(endpoints.openInvitation, {
        email: 'grace@example.org',
        role: 'auditor',
        secret: 'SKR5HTFA6CHXUWQ5YPYNQKURNWTB26R5',
        uri: 'otpauth://totp/Casewatch?secret=SKR5HTFA6CHXUWQ5YPYNQKURNWTB26R5',
      });
    },
    languages: ['en'],
  },
};

export const SCREENS: Record<string, Screen> = { ...FOR_USERS, ...FOR_ADMINISTRATORS };
export const languagesOf = ({ languages }: Screen) => languages ?? LANGUAGES;

/** Opens a screen as a Pro user, unless it says otherwise, and waits until it is all there. */
export async function openScreen(api: FakeApi, { path, answers, steps }: Screen): Promise<void> {
  signedIn(api, PRO_USER);
  api.answers(endpoints.listWatches, []);
  api.answers(endpoints.listPrices, []);
  answers?.(api);
  await showApp(path);
  // A spinner has a heading that is only read aloud.
  await isThere('h1:not(.visually-hidden)');
  await steps?.();
  await settle();
}
