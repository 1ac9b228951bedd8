import type { Row } from './row.ts';

const SENT_BACK = {
  en: 'USCIS sent everything back without deciding, so the filing date does not count.',
  es: 'USCIS devolvió todo sin decidir, así que la fecha de presentación no cuenta.',
};
const AGAIN = {
  en: 'A rejected filing does not stop any deadline, such as the end of your status or work permit. File again right away.',
  es: 'Una presentación rechazada no detiene ningún plazo, como el fin de su estatus o permiso de trabajo. Preséntela de nuevo enseguida.',
};

/** Filings that USCIS did not accept. They keep no filing date: 8 CFR 103.2(a)(7)(ii). */
export const REJECTIONS: readonly Row[] = [
  {
    titles: {
      'Case Rejected Because I Sent An Incorrect Fee': 'Caso rechazado porque envié una tarifa incorrecta',
      'Case Rejected For Incorrect Fee': 'Caso rechazado por tarifa incorrecta',
      'Case Was Rejected Because My Check Or Money Order Is Not Signed':
        'El caso fue rechazado porque mi cheque o giro postal no está firmado',
      'Resubmitted Fee Was Not Accepted': 'No se aceptó la tarifa reenviada',
    },
    phase: 'closed',
    action: 'none',
    en: `USCIS could not accept the payment. ${SENT_BACK.en} → Read the rejection notice and check today’s fee. ${AGAIN.en}`,
    es: `USCIS no pudo aceptar el pago. ${SENT_BACK.es} → Lea el aviso de rechazo y verifique la tarifa vigente. ${AGAIN.es}`,
    notice: 'decision',
    page: 'fees',
  },
  {
    titles: {
      'Petition/Application Was Rejected For Insufficient Funds':
        'La petición o solicitud fue rechazada por fondos insuficientes',
    },
    phase: 'closed',
    action: 'none',
    en: `Your payment bounced, so USCIS canceled the filing. Its dates no longer count. → You must file and pay again. ${AGAIN.en}`,
    es: `Su pago fue devuelto y USCIS anuló la presentación. Sus fechas ya no cuentan. → Debe presentar y pagar otra vez. ${AGAIN.es}`,
    notice: 'decision',
    page: 'fees',
  },
  {
    titles: {
      'Case Rejected Because The Version Of The Form I Sent Is No Longer Accepted':
        'Caso rechazado porque ya no se acepta la versión del formulario que envié',
      'Case Rejected For Form Not Signed And Incorrect Form Version':
        'Caso rechazado por formulario sin firma y versión incorrecta',
      'Case Was Rejected Because I Did Not Sign My Form':
        'El caso fue rechazado porque no firmé mi formulario',
      'Case Was Rejected Because It Was Improperly Filed':
        'El caso fue rechazado porque se presentó de forma incorrecta',
      'CNMI Semiannual Report Rejected':
        'Se rechazó el informe semestral de las Islas Marianas del Norte (CNMI)',
      'Request Was Rejected': 'La solicitud fue rechazada',
    },
    phase: 'closed',
    action: 'none',
    en: `USCIS could not accept the filing as it was. ${SENT_BACK.en} → Read the rejection notice, take the newest form and sign it. ${AGAIN.en}`,
    es: `USCIS no pudo aceptar la presentación como estaba. ${SENT_BACK.es} → Lea el aviso de rechazo, use el formulario más reciente y fírmelo. ${AGAIN.es}`,
    notice: 'decision',
    page: 'forms',
  },
  {
    titles: {
      'Case Rejected For Incorrect Fee And Form Not Signed':
        'Caso rechazado por tarifa incorrecta y formulario sin firma',
      'Case Rejected For Incorrect Fee And Incorrect Form Version':
        'Caso rechazado por tarifa incorrecta y versión incorrecta del formulario',
      'Case Rejected For Incorrect Fee And Payment Not Signed':
        'Caso rechazado por tarifa incorrecta y pago sin firma',
      'Case Rejected For Incorrect Fee, Payment Not Signed And Incorrect Form Version':
        'Caso rechazado por tarifa incorrecta, pago sin firma y versión incorrecta del formulario',
    },
    phase: 'closed',
    action: 'none',
    en: `Several things about the payment or the form were wrong. ${SENT_BACK.en} → Read the rejection notice and fix each point: the fee, the newest form, every signature. ${AGAIN.en}`,
    es: `Varias cosas del pago o del formulario estaban mal. ${SENT_BACK.es} → Lea el aviso de rechazo y corrija cada punto: la tarifa, el formulario más reciente, todas las firmas. ${AGAIN.es}`,
    notice: 'decision',
    page: 'forms',
  },
  {
    titles: {
      'Form G-28 Was Rejected Because It Was Improperly Filed':
        'El Formulario G-28 fue rechazado porque se presentó de forma incorrecta',
    },
    phase: 'other',
    action: 'none',
    en: 'USCIS did not accept the form that names your lawyer. The case itself continues. → Ask your lawyer to file Form G-28 again now. Until then USCIS may write to you alone: open its mail right away and show it to your lawyer.',
    es: 'USCIS no aceptó el formulario que nombra a su abogado. El caso mismo sigue. → Pida a su abogado que presente otra vez el Formulario G-28. Hasta entonces, USCIS puede escribirle solo a usted: abra sus cartas enseguida y muéstrelas a su abogado.',
    page: 'representative',
  },
];
