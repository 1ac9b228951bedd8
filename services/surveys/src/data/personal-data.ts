import type { PersonalData } from '@casewatch/service-kit/database/personal-data';

/** What the service holds about a user, and which of it the user can download. */
export const personalData: PersonalData = {
  tables: {
    people: {
      key: ['user_id'],
      columns: 'user_id, login_count',
      withheld: { deleted_at: 'empty as long as the account exists' },
    },
    trackings: {
      key: ['survey_id'],
      columns: 'user_id, survey_id, last_shown_at, logins_at_last_shown, response_submitted, created_at',
      more: { survey: '(SELECT title FROM surveys WHERE surveys.id = survey_id)' },
    },
    responses: {
      key: ['id'],
      columns: 'id, survey_id, question_id, user_id, response_text, response_options, created_at',
      more: { question: '(SELECT question_text FROM questions WHERE questions.id = question_id)' },
    },
  },
};
