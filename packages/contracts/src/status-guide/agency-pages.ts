/** The agency's own pages: their names, and where they are; in Spanish too where such a page is known to exist. */
const PAGES = {
  address: ['How to change your address', 'Cómo cambiar su dirección', 'addresschange'],
  appeals: ['Appeals and motions', 'Apelaciones y mociones', 'administrative-appeals'],
  asylum: ['Asylum', 'Asilo', 'humanitarian/refugees-and-asylum/asylum'],
  biometrics: [
    'Preparing for your biometric services appointment',
    'Cómo prepararse para su cita de servicios biométricos',
    'forms/filing-guidance/preparing-for-your-biometric-services-appointment',
  ],
  consular: [
    'Consular processing',
    'Proceso consular',
    'green-card/green-card-processes-and-procedures/consular-processing',
  ],
  contact: ['Contact USCIS', 'Comuníquese con USCIS', 'contactcenter', 'es/contactcenter'],
  copy: ['Ask about a missing notice or card (e-Request)', 'Pregunte por un aviso o tarjeta', 'e-request'],
  delivery: [
    'How to track the delivery of your notice or card',
    'Cómo rastrear el envío de su aviso o tarjeta',
    'forms/filing-guidance/how-to-track-delivery-of-your-notice-or-secure-identity-document-or-card',
  ],
  evidence: [
    'Requests for evidence and notices of intent',
    'Solicitudes de evidencia y avisos de intención',
    'policy-manual/volume-1-part-e-chapter-6',
  ],
  expedite: [
    'Expedite requests',
    'Solicitudes de trámite expedito',
    'forms/filing-guidance/expedite-requests',
  ],
  fees: ['Filing fees', 'Tarifas de presentación', 'forms/filing-fees'],
  forms: ['All forms', 'Todos los formularios', 'forms/all-forms', 'es/formularios/todos-los-formularios'],
  greenCard: ['Green card', 'Tarjeta verde', 'green-card'],
  juveniles: ['Special immigrant juveniles', 'Jóvenes inmigrantes especiales', 'working-in-US/eb4/SIJ'],
  lawyer: [
    'Finding legal services',
    'Cómo encontrar servicios legales',
    'scams-fraud-and-misconduct/avoid-scams/find-legal-services',
  ],
  naturalization: [
    'Naturalization ceremonies',
    'Ceremonias de naturalización',
    'citizenship/learn-about-citizenship/naturalization-ceremonies',
  ],
  naturalizationTest: [
    'The naturalization interview and test',
    'La entrevista y el examen de naturalización',
    'citizenship/learn-about-citizenship/the-naturalization-interview-and-test',
  ],
  premium: ['Premium processing', 'Procesamiento prioritario', 'i-907'],
  replaceCard: ['Replace your green card', 'Reemplazo de su tarjeta verde', 'i-90', 'es/i-90'],
  representative: ['Form G-28', 'Formulario G-28', 'g-28'],
  workPermit: [
    'Employment authorization document',
    'Documento de autorización de empleo',
    'i-765',
    'es/i-765',
  ],
  i485: ['Form I-485', 'Formulario I-485', 'i-485'],
  n336: ['Form N-336', 'Formulario N-336', 'n-336'],
} as const satisfies Readonly<
  Record<string, readonly [english: string, spanish: string, path: string, spanishPath?: `es/${string}`]>
>;

export type AgencyPage = keyof typeof PAGES;
export const AGENCY_PAGES = Object.keys(PAGES).filter((name): name is AgencyPage => name in PAGES);

/** Returns the link to a page. A page that is in English only is named so in Spanish. */
export function pageLink(page: AgencyPage, language: 'en' | 'es'): { name: string; href: string } {
  const [english, spanish, path, spanishPath] = PAGES[page];
  const href = (at: string) => `https://www.uscis.gov/${at}`;
  if (language === 'en') return { name: english, href: href(path) };
  if (spanishPath === undefined) return { name: `${spanish} (en inglés)`, href: href(path) };
  return { name: spanish, href: href(spanishPath) };
}
