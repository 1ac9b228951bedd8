import type { IN_PROGRESS } from '../guide-in-progress.ts';
import type { Translated } from '../guide-pages.ts';

const NOT_DECIDED = 'Todavía no se ha decidido nada.';
const WITH_BIOMETRICS = {
  todo: 'Guarde su aviso de recibo. La próxima carta suele ser una cita para tomarle las huellas y una foto; asegúrese de que la agencia tenga su dirección actual.',
};

/** What the statuses on the way to a decision mean, in Spanish. */
export const IN_PROGRESS_ES: Translated<typeof IN_PROGRESS> = {
  'Case Accepted By The USCIS Lockbox': {
    means: `La agencia tiene la solicitud o la petición y le dio un número de recibo. ${NOT_DECIDED}`,
    todo: 'Guarde el aviso de recibo y revise que los nombres y las fechas estén correctos. Si cambia de dirección, avise a la agencia. Por lo demás, toca esperar; cuánto tiempo depende del formulario y de la oficina.',
    forms: {
      'I-485': WITH_BIOMETRICS,
      'I-765': WITH_BIOMETRICS,
      'I-90': WITH_BIOMETRICS,
      'I-751': WITH_BIOMETRICS,
      'I-589': WITH_BIOMETRICS,
      'I-821': WITH_BIOMETRICS,
      'I-821D': WITH_BIOMETRICS,
      'N-400': {
        todo: 'Guarde su aviso de recibo. Después suelen venir las huellas y una entrevista con los exámenes de inglés y de educación cívica; asegúrese de que la agencia tenga su dirección actual.',
      },
    },
  },
  'Fees Were Waived': {
    means: `La tarifa está resuelta: se pagó, o la agencia no la cobra. ${NOT_DECIDED}`,
    todo: 'Nada por ahora. El próximo paso llega por correo o a su cuenta en línea.',
  },
  'Request For Premium Processing Services Was Received': {
    means:
      'La agencia tiene una solicitud de procesamiento prioritario. Promete actuar dentro de un plazo fijo: una decisión, una solicitud de evidencia o un aviso de intención. No promete una aprobación.',
    todo: 'Esté atento al correo. Si le piden más evidencia, el plazo empieza de nuevo cuando llega la respuesta.',
  },
  'Premium Processing Case is Eligible for Pre-Certification': {
    means:
      'La agencia revisó si el caso cumple los requisitos para un paso interno del procesamiento prioritario. Esto no es una decisión.',
    todo: 'Por lo general, nada. El peticionario puede preguntar a la agencia qué significa para el caso.',
  },
  'Biometrics Appointment Was Scheduled': {
    means:
      'La agencia quiere tomarle las huellas, una foto o la firma en un centro de asistencia. La fecha, la hora y el lugar están en el aviso de la cita.',
    todo: 'Vaya a la hora indicada con el aviso y una identificación vigente con foto. Si no puede ir, pida otra fecha antes de la cita: faltar puede poner fin al caso.',
  },
  'Case Was Updated To Show Fingerprints Were Taken': {
    means: `Ya le tomaron las huellas y la verificación de antecedentes puede continuar. ${NOT_DECIDED}`,
    todo: 'Nada por ahora. Guarde el aviso de la cita con el sello.',
  },
  'Case Was Updated To Show That No One Appeared for In-Person Processing': {
    means: 'La agencia anotó que nadie se presentó a una cita. Puede considerar que el caso fue abandonado.',
    todo: 'Comuníquese con la agencia de inmediato, también si usted sí fue: lleve el aviso sellado. Pregunte si puede tener otra cita. Un abogado puede ayudar.',
  },
  'Request To Reschedule My Appointment Was Received': {
    means:
      'La agencia recibió su pedido de otra fecha. La cita anterior sigue vigente hasta que llegue un nuevo aviso.',
    todo: 'Espere el nuevo aviso. Si se acerca la fecha anterior y no lo tiene, comuníquese con la agencia.',
  },
  'Request for Additional Evidence Was Sent': {
    means:
      'La agencia necesita más documentos antes de decidir. La carta dice qué falta y en qué fecha debe haber llegado la respuesta. No es una denegación.',
    todo: 'Lea la carta apenas llegue y envíe todo lo que pide, junto, con la carta encima, para que llegue antes de la fecha indicada. Por lo general, ese plazo no se prorroga.',
  },
  'CWR Notice of Intent to Revoke Sent': {
    means:
      'La agencia piensa retirar algo que había concedido, y dice por qué. Todavía no lo ha hecho: usted puede responder antes.',
    todo: 'Responda antes de la fecha que indica el aviso, con evidencia contra cada una de sus razones. Es un buen momento para consultar a un abogado de inmigración.',
  },
  'Correspondence Was Received And USCIS Is Reviewing It': {
    means: `Lo que se envió llegó, y la agencia lo está leyendo. ${NOT_DECIDED}`,
    todo: 'Nada por ahora. Guarde una copia de lo que envió y el comprobante de entrega.',
  },
  'Case Was Transferred To Schedule An Interview': {
    means:
      'Lo que sigue es una entrevista. Falta que la oficina local tenga una fecha libre; eso puede tardar meses.',
    todo: 'Asegúrese de que la agencia tenga su dirección actual, y tenga a la mano los originales de sus documentos. El aviso con la fecha llega por correo.',
  },
  'Interview Was Scheduled': {
    means: 'Su entrevista ya tiene fecha. El día, la hora, el lugar y lo que debe llevar están en el aviso.',
    todo: 'Vaya a la hora indicada con el aviso, una identificación con foto y los originales que menciona. Si no puede ir, avise antes de la fecha: faltar a la entrevista puede poner fin al caso.',
    forms: {
      'I-589': {
        todo: 'Vaya a la hora indicada con el aviso, su identificación y, si lo necesita, su propio intérprete. Si no puede ir, pida otra fecha antes de la entrevista.',
      },
      'N-400': {
        todo: 'Vaya a la hora indicada con el aviso, su tarjeta verde y sus pasaportes. Prepárese para los exámenes de inglés y de educación cívica. Si no puede ir, pida otra fecha antes de la entrevista.',
      },
    },
  },
  'Interview Cancelled': {
    means:
      'La entrevista no se hará en la fecha prevista. Un aviso dice qué sigue en su lugar. Esto no es una denegación.',
    todo: 'No vaya en la fecha anterior. Si en unas semanas no llega ningún aviso, comuníquese con la agencia.',
  },
  'Interview Was Completed And My Case Must Be Reviewed': {
    means: 'La entrevista terminó, y un oficial revisa el caso antes de decidir.',
    todo: 'Nada, salvo que el oficial le haya pedido documentos: en ese caso, envíelos dentro del plazo que le dieron.',
  },
  'Case Is Pending at a Local Office': {
    means: `Una oficina local está trabajando en el caso. ${NOT_DECIDED}`,
    todo: 'Esté atento al correo de esa oficina, por ejemplo a un aviso de entrevista.',
  },
  'Case Transferred And New Office Has Jurisdiction': {
    means:
      'El caso pasó a otra oficina de la agencia, por lo general para repartir el trabajo. Su lugar en la fila y su número de recibo no cambian.',
    todo: 'Nada. Desde ahora valen los tiempos de procesamiento de la nueva oficina.',
  },
  'Case Was Transferred To An Asylum Office': {
    means: `Una oficina de asilo tiene ahora el caso. ${NOT_DECIDED}`,
    todo: 'Esté atento al correo de esa oficina. Si cambia de dirección, avise a ella y a la agencia.',
  },
  'Case Was Transferred To International Office/Consulate': {
    means: 'Una oficina en el extranjero, o un consulado, trabaja ahora en el caso.',
    todo: 'Espere las instrucciones de esa oficina: le dirán qué enviar y cuándo ir.',
  },
  'Case Was Sent To The Department of State': {
    means:
      'La agencia pasó el caso aprobado al Departamento de Estado, que se ocupa de las visas. Por lo general, el siguiente en escribirle es su Centro Nacional de Visas.',
    todo: 'Espere una carta o un correo electrónico del Centro Nacional de Visas y siga sus pasos. Desde ahora ese centro sabe más que esta página.',
  },
  'Department of State Sent Case to USCIS For Review': {
    means:
      'Un consulado devolvió el caso con preguntas. La agencia lo revisa otra vez y puede mantener o revocar la aprobación.',
    todo: 'Espere un aviso. Si es un aviso de intención de revocar, indica hasta qué fecha puede responder.',
  },
  'Case Was Sent To The Executive Office of Immigration Review': {
    means:
      'El caso está ahora en el tribunal de inmigración o en su junta de apelaciones, que no forman parte de la agencia.',
    todo: 'Esté atento al correo del tribunal, sobre todo a las fechas de audiencia. Si no tiene abogado, busque ayuda legal.',
  },
  'Case Was Sent To The Administrative Appeals Office for Review': {
    means: 'La oficina de apelaciones de la agencia revisa la decisión. Eso suele tardar meses.',
    todo: 'Nada, salvo que esa oficina le escriba.',
  },
  'Appeal Was Remanded To The Originating Office For Consideration': {
    means:
      'El caso volvió de la oficina de apelaciones a la oficina que lo había decidido, que lo examina de nuevo.',
    todo: 'Espere un aviso de esa oficina. Puede pedirle más evidencia hasta cierta fecha.',
  },
  'Case Was Reopened': {
    means:
      'La agencia vuelve a trabajar en el caso. La decisión anterior puede cambiar, o quedar como estaba.',
    todo: 'Lea el aviso: dice si usted debe hacer algo, y hasta cuándo.',
  },
  'Case Is On Hold Because Of Pending Litigation': {
    means: 'Una demanda judicial impide que la agencia continúe con este caso, o tiene que ver con él.',
    todo: 'Lea el aviso. Si no sabe nada de la demanda, pregunte a la agencia o a un abogado.',
  },
  'Expedite Request Received': {
    means: 'Usted pidió un trámite más rápido, y la agencia está examinando el pedido.',
    todo: 'Si le piden pruebas de la urgencia, responda rápido.',
  },
  'Expedite Request Approved': {
    means: 'La agencia atenderá el caso antes. El resultado sigue abierto.',
    todo: 'Esté atento al correo, y si le piden algo, responda de inmediato.',
  },
  'Expedite Request Denied': {
    means: 'El caso sigue en la fila habitual. Solo se rechazó el pedido de rapidez, no el caso.',
    todo: 'Nada. Un nuevo pedido necesita una razón nueva o mejor.',
  },
};
