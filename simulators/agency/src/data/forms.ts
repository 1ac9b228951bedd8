export interface Form {
  /** With its hyphen, as people write it. */
  readonly type: string;
  readonly english: string;
  readonly spanish: string;
  /** What usually happens, first to last. */
  readonly journey: readonly string[];
}

const BIOMETRICS = [
  'Case Was Received',
  'Fingerprint and Biometrics Appointment Was Scheduled',
  'Case Was Updated To Show Fingerprints Were Taken',
] as const;
const EVIDENCE = [
  'Request for Additional Evidence Was Sent',
  "Response To USCIS' Request For Evidence Was Received",
] as const;
const CARD = [
  'New Card Is Being Produced',
  'Card Was Mailed To Me',
  'Card Was Picked Up By The United States Postal Service',
  'Card Was Delivered To Me By The Post Office',
] as const;

/** The forms seen most often. */
export const FORMS: readonly Form[] = [
  {
    type: 'I-90',
    english: 'Application to Replace Permanent Resident Card',
    spanish: 'Solicitud para Reemplazar Tarjeta de Residente Permanente',
    journey: [...BIOMETRICS, ...CARD],
  },
  {
    type: 'I-129',
    english: 'Petition for a Nonimmigrant Worker',
    spanish: 'Petición de Trabajador No Inmigrante',
    journey: [
      'Case Was Received and A Receipt Notice Was Emailed',
      'Request For Premium Processing Services Was Received',
      ...EVIDENCE,
      'Case Was Approved And My Decision Was Emailed',
    ],
  },
  {
    type: 'I-130',
    english: 'Petition for Alien Relative',
    spanish: 'Petición de Familiar Extranjero',
    journey: [
      'Case Was Received',
      'Case Was Transferred And A New Office Has Jurisdiction',
      'Request for Initial Evidence Was Sent',
      "Response To USCIS' Request For Evidence Was Received",
      'Case Was Approved',
      'Case Was Sent To The Department of State',
    ],
  },
  {
    type: 'I-131',
    english: 'Application for Travel Documents, Parole Documents, and Arrival/Departure Records',
    spanish: 'Solicitud de Documentos de Viaje, Permisos y Registros de Entrada y Salida',
    journey: [
      ...BIOMETRICS,
      'Case Was Approved',
      'Advance Parole Document Was Produced',
      'Travel Document Was Mailed',
    ],
  },
  {
    type: 'I-140',
    english: 'Immigrant Petition for Alien Workers',
    spanish: 'Petición de Trabajador Extranjero Inmigrante',
    journey: [
      'Case Was Received',
      'Request For Premium Processing Services Was Received',
      ...EVIDENCE,
      'Case Was Approved',
    ],
  },
  {
    type: 'I-485',
    english: 'Application to Register Permanent Residence or Adjust Status',
    spanish: 'Solicitud de Registro de Residencia Permanente o Ajuste de Estatus',
    journey: [
      ...BIOMETRICS,
      'Case is Ready to Be Scheduled for An Interview',
      'Interview Was Scheduled',
      'Interview Was Completed And My Case Must Be Reviewed',
      ...CARD,
    ],
  },
  {
    type: 'I-539',
    english: 'Application To Extend/Change Nonimmigrant Status',
    spanish: 'Solicitud de Extensión o Cambio de Estatus de No Inmigrante',
    journey: [...BIOMETRICS, ...EVIDENCE, 'Case Was Approved And A Decision Notice Was Sent'],
  },
  {
    type: 'I-751',
    english: 'Petition to Remove Conditions on Residence',
    spanish: 'Petición para Cancelar las Condiciones en la Residencia',
    journey: [...BIOMETRICS, 'Case Transferred To Another Office', ...EVIDENCE, 'Case Was Approved', ...CARD],
  },
  {
    type: 'I-765',
    english: 'Application for Employment Authorization',
    spanish: 'Solicitud de Autorización de Empleo',
    journey: [
      'Case Was Received',
      'Case Was Updated To Show Fingerprints Were Taken',
      'Case Was Approved',
      ...CARD,
    ],
  },
  {
    type: 'I-821D',
    english: 'Consideration of Deferred Action for Childhood Arrivals',
    spanish: 'Consideración de Acción Diferida para los Llegados en la Infancia',
    journey: [...BIOMETRICS, ...EVIDENCE, 'Case Was Approved'],
  },
  {
    type: 'N-400',
    english: 'Application for Naturalization',
    spanish: 'Solicitud de Naturalización',
    journey: [
      ...BIOMETRICS,
      'Interview Was Scheduled',
      'Interview Was Completed And My Case Must Be Reviewed',
      'Case Was Approved',
    ],
  },
];

/** How a journey may end before it is decided. */
export const EARLY_ENDS: readonly string[] = [
  'Case Was Denied And My Decision Notice Mailed',
  'Case Was Denied',
  'Withdrawal Acknowledgement Notice Was Sent',
];

/** How it may end right after it came in. */
export const REJECTIONS: readonly string[] = [
  'Case Rejected Because I Sent An Incorrect Fee',
  'Case Was Rejected Because I Did Not Sign My Form',
];
