/** What the agency calls its forms (uscis.gov, All Forms), and each in Spanish. */
const TITLES: Readonly<Record<string, readonly [english: string, spanish: string]>> = {
  'AR-11': ['Alien’s Change of Address Card', 'Tarjeta de Cambio de Dirección de Extranjero'],
  'EOIR-29': [
    'Notice of Appeal to the Board of Immigration Appeals',
    'Notificación de Apelación ante la Junta de Apelaciones de Inmigración',
  ],
  'G-28': [
    'Notice of Entry of Appearance as Attorney or Accredited Representative',
    'Notificación de Comparecencia como Abogado o Representante Acreditado',
  ],
  'G-639': [
    'Freedom of Information/Privacy Act Request',
    'Solicitud de Información bajo la Ley de Libertad de Información y la Ley de Privacidad',
  ],
  'G-845': ['Verification Request', 'Solicitud de Verificación'],
  'G-884': [
    'Request for the Return of Original Documents',
    'Solicitud de Devolución de Documentos Originales',
  ],
  'G-1041': ['Genealogy Index Search Request', 'Solicitud de Búsqueda en el Índice de Genealogía'],
  'I-90': [
    'Application to Replace Permanent Resident Card (Green Card)',
    'Solicitud para Reemplazar la Tarjeta de Residente Permanente (Tarjeta Verde)',
  ],
  'I-102': [
    'Application for Replacement/Initial Nonimmigrant Arrival-Departure Document',
    'Solicitud de Documento de Entrada y Salida de No Inmigrante, Inicial o de Reemplazo',
  ],
  'I-129': ['Petition for a Nonimmigrant Worker', 'Petición de Trabajador No Inmigrante'],
  'I-129CW': [
    'Petition for a CNMI-Only Nonimmigrant Transitional Worker',
    'Petición de Trabajador de Transición No Inmigrante Exclusivo de CNMI',
  ],
  'I-129F': ['Petition for Alien Fiancé(e)', 'Petición de Prometido(a) Extranjero(a)'],
  'I-129S': [
    'Nonimmigrant Petition Based on Blanket L Petition',
    'Petición de No Inmigrante Basada en una Petición L Colectiva',
  ],
  'I-130': ['Petition for Alien Relative', 'Petición de Familiar Extranjero'],
  'I-131': [
    'Application for Travel Documents, Parole Documents, and Arrival/Departure Records',
    'Solicitud de Documentos de Viaje, Documentos de Permiso (Parole) y Registros de Entrada y Salida',
  ],
  'I-131A': [
    'Application for Carrier Documentation',
    'Solicitud de Documentación para la Compañía de Transporte',
  ],
  'I-134': ['Declaration of Financial Support', 'Declaración de Apoyo Financiero'],
  'I-134A': [
    'Online Request to be a Supporter and Declaration of Financial Support',
    'Solicitud en Línea para Convertirse en Persona de Apoyo y Declaración de Apoyo Financiero',
  ],
  'I-140': ['Immigrant Petition for Alien Workers', 'Petición de Trabajador Extranjero Inmigrante'],
  'I-191': [
    'Application for Relief Under Former Section 212(c) of the Immigration and Nationality Act',
    'Solicitud de Alivio bajo la Antigua Sección 212(c) de la Ley de Inmigración y Nacionalidad',
  ],
  'I-192': [
    'Application for Advance Permission to Enter as a Nonimmigrant',
    'Solicitud de Permiso Anticipado para Entrar como No Inmigrante',
  ],
  'I-193': ['Application for Waiver of Passport and/or Visa', 'Solicitud de Exención de Pasaporte o Visa'],
  'I-212': [
    'Application for Permission to Reapply for Admission into the United States After Deportation or Removal',
    'Solicitud de Permiso para Volver a Solicitar la Admisión a Estados Unidos Después de una Deportación o Remoción',
  ],
  'I-290B': ['Notice of Appeal or Motion', 'Notificación de Apelación o Moción'],
  'I-352': ['Immigration Bond', 'Fianza de Inmigración'],
  'I-356': [
    'Request for Cancellation of a Public Charge Bond',
    'Solicitud de Cancelación de una Fianza por Carga Pública',
  ],
  'I-360': [
    'Petition for Amerasian, Widow(er), or Special Immigrant',
    'Petición de Amerasiático, Viudo(a) o Inmigrante Especial',
  ],
  'I-361': [
    'Affidavit of Financial Support and Intent to Petition for Legal Custody',
    'Declaración Jurada de Apoyo Financiero e Intención de Pedir la Custodia Legal',
  ],
  'I-407': [
    'Record of Abandonment of Lawful Permanent Resident Status',
    'Registro de Abandono del Estatus de Residente Permanente Legal',
  ],
  'I-485': [
    'Application to Register Permanent Residence or Adjust Status',
    'Solicitud de Registro de Residencia Permanente o Ajuste de Estatus',
  ],
  'I-485J': [
    'Confirmation of Valid Job Offer or Request for Job Portability',
    'Confirmación de Oferta de Empleo Válida o Solicitud de Portabilidad de Empleo',
  ],
  'I-508': [
    'Request for Waiver of Certain Rights, Privileges, Exemptions, and Immunities',
    'Solicitud de Exención de Ciertos Derechos, Privilegios, Exenciones e Inmunidades',
  ],
  'I-526': [
    'Immigrant Petition by Standalone Investor',
    'Petición de Inmigrante por Inversionista Independiente',
  ],
  'I-526E': [
    'Immigrant Petition by Regional Center Investor',
    'Petición de Inmigrante por Inversionista de Centro Regional',
  ],
  'I-539': [
    'Application to Extend/Change Nonimmigrant Status',
    'Solicitud para Extender o Cambiar el Estatus de No Inmigrante',
  ],
  'I-566': ['Interagency Record of Request', 'Registro Interinstitucional de Solicitud'],
  'I-589': [
    'Application for Asylum and for Withholding of Removal',
    'Solicitud de Asilo y de Suspensión de Remoción',
  ],
  'I-600': [
    'Petition to Classify Orphan as an Immediate Relative',
    'Petición para Clasificar a un Huérfano como Familiar Inmediato',
  ],
  'I-600A': [
    'Application for Advance Processing of an Orphan Petition',
    'Solicitud de Trámite Adelantado de una Petición de Huérfano',
  ],
  'I-601': [
    'Application for Waiver of Grounds of Inadmissibility',
    'Solicitud de Exención de Causales de Inadmisibilidad',
  ],
  'I-601A': [
    'Application for Provisional Unlawful Presence Waiver',
    'Solicitud de Exención Provisional por Presencia Ilegal',
  ],
  'I-602': [
    'Application by Refugee for Waiver of Inadmissibility Grounds',
    'Solicitud de un Refugiado para la Exención de Causales de Inadmisibilidad',
  ],
  'I-612': [
    'Application for Waiver of the Foreign Residence Requirement',
    'Solicitud de Exención del Requisito de Residencia en el Extranjero',
  ],
  'I-687': ['Application for Status as a Temporary Resident', 'Solicitud de Estatus de Residente Temporal'],
  'I-690': [
    'Application for Waiver of Grounds of Inadmissibility',
    'Solicitud de Exención de Causales de Inadmisibilidad',
  ],
  'I-693': [
    'Report of Immigration Medical Examination and Vaccination Record',
    'Informe de Examen Médico de Inmigración y Registro de Vacunación',
  ],
  'I-694': ['Notice of Appeal of Decision', 'Notificación de Apelación de una Decisión'],
  'I-698': [
    'Application to Adjust Status from Temporary to Permanent Resident',
    'Solicitud para Ajustar el Estatus de Residente Temporal a Permanente',
  ],
  'I-730': ['Refugee/Asylee Relative Petition', 'Petición de Familiar de Refugiado o Asilado'],
  'I-751': [
    'Petition to Remove Conditions on Residence',
    'Petición para Eliminar las Condiciones de la Residencia',
  ],
  'I-765': ['Application for Employment Authorization', 'Solicitud de Autorización de Empleo'],
  'I-765V': [
    'Application for Employment Authorization for Abused Nonimmigrant Spouse',
    'Solicitud de Autorización de Empleo para el Cónyuge No Inmigrante Maltratado',
  ],
  'I-800': [
    'Petition to Classify Convention Adoptee as an Immediate Relative',
    'Petición para Clasificar a un Adoptado del Convenio como Familiar Inmediato',
  ],
  'I-800A': [
    'Application for Determination of Suitability to Adopt a Child from a Convention Country',
    'Solicitud para Determinar la Idoneidad para Adoptar a un Menor de un País del Convenio',
  ],
  'I-817': ['Application for Family Unity Benefits', 'Solicitud de Beneficios de Unidad Familiar'],
  'I-821': ['Application for Temporary Protected Status', 'Solicitud de Estatus de Protección Temporal'],
  'I-821D': [
    'Consideration of Deferred Action for Childhood Arrivals',
    'Consideración de Acción Diferida para los Llegados en la Infancia',
  ],
  'I-824': [
    'Application for Action on an Approved Application or Petition',
    'Solicitud de Acción sobre una Solicitud o Petición Aprobada',
  ],
  'I-829': [
    'Petition by Investor to Remove Conditions on Permanent Resident Status',
    'Petición de Inversionista para Eliminar las Condiciones del Estatus de Residente Permanente',
  ],
  'I-854': [
    'Inter-Agency Alien Witness and Informant Record',
    'Registro Interinstitucional de Testigo e Informante Extranjero',
  ],
  'I-864': [
    'Affidavit of Support Under Section 213A of the INA',
    'Declaración Jurada de Patrocinio Económico bajo la Sección 213A de la INA',
  ],
  'I-881': [
    'Application for Suspension of Deportation or Special Rule Cancellation of Removal',
    'Solicitud de Suspensión de Deportación o Cancelación de Remoción por Regla Especial',
  ],
  'I-905': [
    'Application for Authorization to Issue Certification for Health Care Workers',
    'Solicitud de Autorización para Emitir Certificaciones de Trabajadores de la Salud',
  ],
  'I-907': ['Request for Premium Processing Service', 'Solicitud de Servicio de Procesamiento Prioritario'],
  'I-912': ['Request for Fee Waiver', 'Solicitud de Exención de Tarifas'],
  'I-914': ['Application for T Nonimmigrant Status', 'Solicitud de Estatus T de No Inmigrante'],
  'I-918': ['Petition for U Nonimmigrant Status', 'Petición de Estatus U de No Inmigrante'],
  'I-929': [
    'Petition for Qualifying Family Member of a U-1 Nonimmigrant',
    'Petición de Familiar Calificado de un No Inmigrante U-1',
  ],
  'I-941': ['Application for Entrepreneur Parole', 'Solicitud de Permiso (Parole) para Empresarios'],
  'I-956': ['Application for Regional Center Designation', 'Solicitud de Designación como Centro Regional'],
  'N-300': [
    'Application to File Declaration of Intention',
    'Solicitud para Presentar una Declaración de Intención',
  ],
  'N-336': [
    'Request for a Hearing on a Decision in Naturalization Proceedings',
    'Solicitud de Audiencia sobre una Decisión en un Proceso de Naturalización',
  ],
  'N-400': ['Application for Naturalization', 'Solicitud de Naturalización'],
  'N-426': [
    'Request for Certification of Military or Naval Service',
    'Solicitud de Certificación de Servicio Militar o Naval',
  ],
  'N-470': [
    'Application to Preserve Residence for Naturalization Purposes',
    'Solicitud para Preservar la Residencia para Fines de Naturalización',
  ],
  'N-565': [
    'Application for Replacement Naturalization/Citizenship Document',
    'Solicitud de Reemplazo de Documento de Naturalización o Ciudadanía',
  ],
  'N-600': ['Application for Certificate of Citizenship', 'Solicitud de Certificado de Ciudadanía'],
  'N-600K': [
    'Application for Citizenship and Issuance of Certificate',
    'Solicitud de Ciudadanía y Emisión de Certificado',
  ],
  'N-648': [
    'Medical Certification for Disability Exceptions',
    'Certificación Médica para Excepciones por Discapacidad',
  ],
};

/** Returns the title of a form (`I-130`); an unknown form is its own title, and no form is 'Unknown'. */
export function formTitle(formType: string): string {
  if (Object.hasOwn(TITLES, formType)) return TITLES[formType]?.[0] ?? formType;
  return formType === '' ? 'Unknown' : `Form ${formType}`;
}

/** Returns the title of a form in Spanish; undefined for an unknown form. */
export function spanishFormTitle(formType: string): string | undefined {
  return Object.hasOwn(TITLES, formType) ? TITLES[formType]?.[1] : undefined;
}
