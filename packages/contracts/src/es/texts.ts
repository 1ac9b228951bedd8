import type { AgencyPage } from '../guide-pages.ts';
import type { PlanEndReason } from '../limits.ts';
import { type PlanChange, type PlanWords, provideTexts } from '../translations.ts';
import { DECISIONS_ES } from './guide-decisions.ts';
import { IN_PROGRESS_ES } from './guide-in-progress.ts';
import { OUTCOMES_ES } from './guide-outcomes.ts';
import { STATUS_NAMES_ES } from './status-names.ts';

/** The agency's pages in Spanish where they are known to exist; of the others the name says that they are in English. */
const PAGES: Readonly<Record<AgencyPage, readonly [name: string, href: `https://www.uscis.gov/${string}`]>> =
  {
    address: ['Cómo cambiar su dirección (en inglés)', 'https://www.uscis.gov/addresschange'],
    appeals: ['Apelaciones y mociones (en inglés)', 'https://www.uscis.gov/administrative-appeals'],
    asylum: ['Asilo (en inglés)', 'https://www.uscis.gov/humanitarian/refugees-and-asylum/asylum'],
    biometrics: [
      'Cómo prepararse para su cita biométrica (en inglés)',
      'https://www.uscis.gov/forms/filing-guidance/preparing-for-your-biometric-services-appointment',
    ],
    consular: [
      'Proceso consular (en inglés)',
      'https://www.uscis.gov/green-card/green-card-processes-and-procedures/consular-processing',
    ],
    contact: ['Comuníquese con la agencia', 'https://www.uscis.gov/es/contactcenter'],
    delivery: [
      'Cómo rastrear el envío de su aviso o tarjeta (en inglés)',
      'https://www.uscis.gov/forms/filing-guidance/how-to-track-delivery-of-your-notice-or-secure-identity-document-or-card',
    ],
    evidence: [
      'Solicitudes de evidencia y avisos de intención (en inglés)',
      'https://www.uscis.gov/policy-manual/volume-1-part-e-chapter-6',
    ],
    expedite: [
      'Solicitudes de agilización (en inglés)',
      'https://www.uscis.gov/forms/filing-guidance/expedite-requests',
    ],
    fees: ['Tarifas de presentación (en inglés)', 'https://www.uscis.gov/forms/filing-fees'],
    forms: ['Todos los formularios', 'https://www.uscis.gov/es/formularios/todos-los-formularios'],
    greenCard: ['Tarjeta verde (en inglés)', 'https://www.uscis.gov/green-card'],
    lawyer: [
      'Cómo encontrar servicios legales (en inglés)',
      'https://www.uscis.gov/scams-fraud-and-misconduct/avoid-scams/find-legal-services',
    ],
    naturalization: [
      'Ceremonias de naturalización (en inglés)',
      'https://www.uscis.gov/citizenship/learn-about-citizenship/naturalization-ceremonies',
    ],
    naturalizationTest: [
      'La entrevista y el examen de naturalización (en inglés)',
      'https://www.uscis.gov/citizenship/learn-about-citizenship/the-naturalization-interview-and-test',
    ],
    premium: ['Procesamiento prioritario (en inglés)', 'https://www.uscis.gov/i-907'],
    replaceCard: ['Reemplazo de su tarjeta verde', 'https://www.uscis.gov/es/i-90'],
    representative: ['Formulario G-28 (en inglés)', 'https://www.uscis.gov/g-28'],
    workPermit: ['Documento de autorización de empleo', 'https://www.uscis.gov/es/i-765'],
    i485: ['Formulario I-485 (en inglés)', 'https://www.uscis.gov/i-485'],
    n336: ['Formulario N-336 (en inglés)', 'https://www.uscis.gov/n-336'],
  };

const END_REASONS: Readonly<Record<PlanEndReason, string>> = {
  'payment-failed': 'porque falló el pago',
  canceled: 'porque se canceló',
  refunded: 'porque su pago fue reembolsado o disputado',
};

function planWords({ milestone, reason }: PlanChange, day: string): PlanWords {
  switch (milestone) {
    case 'trial-ending':
      return {
        title: `Su prueba gratis termina el ${day}`,
        text: `El primer pago se cobra el ${day}, y Pro continúa. Si cancela antes, no paga nada.`,
        action: { label: 'Ver o cambiar su plan', path: '/profile' },
      };
    case 'payment-failed':
      return {
        title: 'Su pago de Pro falló',
        text: `Usted conserva Pro hasta el ${day}. Pague o use otra tarjeta antes de esa fecha, y el monitoreo de sus casos continuará.`,
        action: { label: 'Corregir el pago', path: '/upgrade' },
      };
    case 'pro-ended':
      return {
        title: 'Pro terminó',
        text: `Pro terminó el ${day} ${END_REASONS[reason ?? 'canceled']}. Sus casos guardados se conservan. Las revisiones automáticas están en pausa y se reanudan cuando tenga Pro otra vez.`,
        action: { label: 'Recuperar Pro', path: '/upgrade' },
      };
    case 'pro-returned':
      return {
        title: 'Pro está de vuelta',
        text: 'Se reanudaron las revisiones automáticas de sus casos guardados, con la frecuencia que usted eligió.',
        action: { label: 'Ver sus casos guardados', path: '/saved-cases' },
      };
  }
}

provideTexts('es', {
  statusNames: STATUS_NAMES_ES,
  guide: {
    reviewed: 'noviembre de 2026',
    entries: { ...DECISIONS_ES, ...IN_PROGRESS_ES, ...OUTCOMES_ES },
    unknown: {
      means:
        'Todavía no tenemos una explicación de este estado. Confíe en las palabras de la agencia y en los avisos que le envía, más que en una suposición.',
      todo: 'Lea la descripción de la agencia y revise si le llegó un aviso por correo. Si no le queda claro, pregunte a la agencia.',
    },
    pages: PAGES,
  },
  planWords,
});
