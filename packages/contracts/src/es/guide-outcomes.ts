import type { OUTCOMES } from '../guide-outcomes.ts';
import type { Translated } from '../guide-pages.ts';

const FILE_AGAIN =
  'La agencia devolvió todo sin decidir, así que la fecha de presentación no cuenta. Por lo general, puede presentarlo otra vez.';

/** What cards, notices, appeals and endings mean, in Spanish. */
export const OUTCOMES_ES: Translated<typeof OUTCOMES> = {
  'Case Approval Was Certified By USCIS': {
    means: 'La agencia confirmó que el caso cumple los requisitos que revisó. Un aviso tiene los detalles.',
    todo: 'Lea el aviso: dice qué sigue.',
  },
  'Case Approval Was Reaffirmed And Mailed Back To Department Of State': {
    means: 'Tras revisarla otra vez, la agencia mantiene su aprobación y devolvió el caso para la visa.',
    todo: 'Esté atento al correo del consulado o del Centro Nacional de Visas.',
  },
  'Continuation Notice Was Mailed': {
    means: 'Un aviso dice que algo continúa, por ejemplo su estatus mientras un formulario está pendiente.',
    todo: 'Léalo y guárdelo con sus papeles: quizás tenga que mostrarlo.',
  },
  'Appeal Was Approved': {
    means: 'La apelación tuvo éxito. El caso vuelve para que se cumpla la nueva decisión.',
    todo: 'Lea la decisión y espere el próximo aviso.',
  },
  'Appeal Was Dismissed': {
    means: 'La apelación no tuvo éxito: la decisión anterior se mantiene.',
    todo: 'Lea pronto la decisión. Quizás sea posible una moción, o un tribunal, pero solo por poco tiempo; un abogado puede decirlo.',
  },
  'Case Was Automatically Revoked': {
    means: 'Se retiró una aprobación. El aviso dice por qué y desde cuándo.',
    todo: 'Lea pronto el aviso: el plazo para apelar, donde es posible, es corto. Considere consultar a un abogado de inmigración.',
  },
  'Advance Parole Document Was Produced': {
    means: 'Su tarjeta o documento se está haciendo y se le enviará por correo.',
    todo: 'Asegúrese de que la agencia tenga su dirección actual. El envío suele salir en unos días o pocas semanas.',
  },
  'Card Was Mailed To Me': {
    means: 'Su tarjeta o documento está en camino por correo.',
    todo: 'Revise su buzón. Si no llega en 30 días, comuníquese con la agencia; en su cuenta en línea puede haber un número de rastreo.',
  },
  'Card Was Delivered To Me By The Post Office': {
    means: 'La oficina de correos informa que entregó su tarjeta.',
    todo: 'Revise cada renglón de la tarjeta. Si no la tiene, pregunte en la oficina de correos y a quienes viven con usted; después comuníquese con la agencia.',
  },
  'Card Is Being Returned to USCIS by Post Office': {
    means:
      'La oficina de correos no pudo entregar su tarjeta o documento, y fue devuelto. La agencia lo guarda por un tiempo limitado y después lo destruye.',
    todo: 'Corrija ahora su dirección con la agencia, y pida que le envíen el documento otra vez.',
  },
  'Card Destroyed': {
    means:
      'La tarjeta o el documento ya no existe. Lo que representa, por ejemplo su estatus, por lo general sigue.',
    todo: 'Si no lo esperaba, comuníquese con la agencia y pregunte cómo obtener un reemplazo. A menudo eso requiere otro formulario y otra tarifa.',
  },
  'Card Was Received By USCIS Along With My Letter': {
    means: 'La agencia tiene la tarjeta o el documento que usted devolvió, y su carta.',
    todo: 'Espere su respuesta. Si usted pidió una corrección y la agencia está de acuerdo, le enviará una nueva tarjeta.',
  },
  'Case Rejected Because I Sent An Incorrect Fee': {
    means: `No se pudo aceptar el pago. ${FILE_AGAIN}`,
    todo: 'Lea el aviso de rechazo, verifique la tarifa vigente y envíe otra vez el paquete completo con un pago válido. Tenga en cuenta sus propios plazos.',
  },
  'Case Rejected Because The Version Of The Form I Sent Is No Longer Accepted': {
    means: `No se pudo aceptar el formulario como estaba. ${FILE_AGAIN}`,
    todo: 'Lea el aviso de rechazo, use la versión más reciente del formulario, fírmelo y envíe otra vez el paquete completo. Tenga en cuenta sus propios plazos.',
  },
  'Case Rejected For Incorrect Fee And Form Not Signed': {
    means: `Tanto el pago como el formulario, o varias cosas del pago, estaban mal. ${FILE_AGAIN}`,
    todo: 'Lea el aviso de rechazo y corrija cada punto: tarifa vigente, formulario más reciente, todas las firmas. Después envíe otra vez el paquete completo.',
  },
  'Form G-28 Was Rejected Because It Was Improperly Filed': {
    means: 'No se aceptó el formulario que nombra a su abogado o representante. El caso mismo sigue.',
    todo: 'Pida a su representante que presente otra vez el Formulario G-28. Hasta entonces, es posible que los avisos le lleguen solo a usted.',
  },
  'Case Closed Benefit Received By Other Means': {
    means: 'La agencia cerró el caso porque usted ya tiene lo que se pedía en él.',
    todo: 'Por lo general, nada. Si eso es un error, comuníquese con la agencia.',
  },
  'Status Termination Notice Was Mailed': {
    means: 'La agencia puso fin a un estatus o a un caso. El aviso dice a cuál, por qué y desde cuándo.',
    todo: 'Lea el aviso apenas llegue y considere consultar a un abogado de inmigración: el plazo para responder es corto.',
  },
  'Appeal Was Terminated and A Notice Was Mailed To Me': {
    means: 'La apelación terminó sin una decisión sobre el fondo. El aviso dice por qué.',
    todo: 'Lea el aviso: dice si todavía es posible hacer algo.',
  },
  'Withdrawal Acknowledgement Notice Was Sent': {
    means: 'La agencia confirma que el caso o la apelación se retiró a pedido. No decidirá sobre él.',
    todo: 'Guarde el aviso. Si usted no pidió esto, comuníquese con la agencia de inmediato.',
  },
  'Amended Notice Was Mailed': {
    means: 'Un aviso sobre el caso está en camino por correo. Este estado no dice qué contiene.',
    todo: 'Léalo cuando llegue y vea si tiene una fecha límite para responder. Si no llega en 30 días, comuníquese con la agencia.',
  },
  'Notice Was Returned To USCIS Because The Post Office Could Not Deliver It': {
    means: 'Una carta sobre este caso volvió a la agencia. Es posible que le falte algo que tiene un plazo.',
    todo: 'Corrija ahora su dirección con la agencia, pregunte qué decía la carta y pida que se la envíen otra vez.',
  },
  'Date of Birth Was Updated': {
    means: 'La agencia cambió sus datos personales en sus registros. El caso sigue como antes.',
    todo: 'Verifique que el cambio sea correcto. Si usted no lo pidió, comuníquese con la agencia.',
  },
  'Fee Refund Was Mailed': {
    means: 'La agencia devuelve una tarifa. El reembolso no decide el caso.',
    todo: 'Espere el reembolso. Si no llega, comuníquese con la agencia.',
  },
};
