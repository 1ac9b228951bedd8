import type { DECISIONS } from '../guide-decisions.ts';
import type { Translated } from '../guide-pages.ts';

/** What an approval and a denial mean, in Spanish. */
export const DECISIONS_ES: Translated<typeof DECISIONS> = {
  'Case Was Approved': {
    means:
      'La agencia dijo que sí a lo que se pide en este formulario. El aviso de aprobación dice qué permite.',
    todo: 'Guarde el aviso de aprobación y léalo: algunas aprobaciones requieren otro paso.',
    forms: {
      'I-130': {
        means:
          'La agencia acepta el parentesco. Esto por sí solo no es una visa ni una tarjeta verde: el familiar todavía tiene que solicitarla cuando haya una visa disponible.',
        todo: 'Si el familiar está en el extranjero, espere noticias del Centro Nacional de Visas. Si está en Estados Unidos, vea si puede presentar el Formulario I-485.',
      },
      'I-140': {
        means:
          'La agencia acepta la petición de empleo. Esto por sí solo no es una tarjeta verde: el trabajador todavía tiene que solicitarla cuando haya una visa disponible.',
        todo: 'Busque en el Boletín de Visas la fecha de prioridad del aviso de aprobación; después solicite la visa en el extranjero o presente el Formulario I-485.',
      },
      'I-485': {
        means: 'Usted es residente permanente. La tarjeta verde llega por correo.',
        todo: 'Espere la tarjeta, por lo general unas semanas. Revise cada renglón y llévela siempre con usted.',
      },
      'I-765': {
        means: 'Puede trabajar hasta la fecha que indica la tarjeta, que llega por correo.',
        todo: 'Espere la tarjeta y revise sus fechas. Anote cuándo debe renovarla.',
      },
      'I-131': {
        means: 'El documento de viaje fue concedido y llega por correo.',
        todo: 'No viaje confiando solo en este estado: espere hasta tener el documento en sus manos.',
      },
      'I-751': {
        means:
          'Se eliminaron las condiciones de su residencia. Una tarjeta válida por diez años llega por correo.',
        todo: 'Espere la tarjeta y revise cada renglón.',
      },
      'I-90': {
        means: 'Su tarjeta verde será reemplazada. La nueva tarjeta llega por correo.',
        todo: 'Espere la tarjeta y revise cada renglón.',
      },
      'N-400': {
        means: 'La solicitud está aprobada. Usted se hace ciudadano solamente al prestar el juramento.',
        todo: 'Espere el aviso de la ceremonia de juramento y lleve a ella su tarjeta verde.',
      },
      'I-129': {
        means:
          'La agencia acepta la petición para el trabajador. Fija para qué empleo y hasta cuándo; la visa o el estatus mismo pueden requerir otro paso.',
        todo: 'El empleador y el trabajador revisan las fechas del aviso de aprobación. En el extranjero, el trabajador solicita la visa en un consulado.',
      },
      'I-129F': {
        means:
          'La agencia acepta la petición para el prometido o la prometida. Esto por sí solo no es una visa: un consulado decide después de una entrevista.',
        todo: 'Espere noticias del Centro Nacional de Visas o del consulado. La aprobación vale por un tiempo limitado, por lo general cuatro meses, que el consulado puede prorrogar.',
      },
      'I-539': {
        means: 'Su estadía fue extendida, o su estatus fue cambiado, hasta la fecha que indica el aviso.',
        todo: 'Anote la nueva fecha y guarde el aviso con su pasaporte y su registro de entrada.',
      },
      'I-589': {
        means: 'Se le concedió asilo. Puede quedarse y trabajar en Estados Unidos.',
        todo: 'Lea el aviso: dice cómo pedir a sus familiares, dentro de dos años, y desde cuándo puede solicitar una tarjeta verde.',
      },
      'I-601A': {
        means:
          'La presencia ilegal queda perdonada de manera provisional. El perdón vale solo cuando usted sale del país y un consulado no encuentra ningún otro impedimento.',
        todo: 'No salga del país confiando solo en este estado: espere la entrevista de la visa y, si tiene dudas, pregunte a un abogado.',
      },
      'I-730': {
        means:
          'La agencia acepta el parentesco con el refugiado o asilado. Los familiares en el extranjero todavía necesitan una entrevista y documentos de viaje.',
        todo: 'Espere el aviso: dice qué oficina o consulado continúa con el caso.',
      },
      'I-821': {
        means:
          'Se le concedió el estatus de protección temporal hasta la fecha que indica el aviso. No es una residencia permanente.',
        todo: 'Anote cuándo debe inscribirse de nuevo: la agencia anuncia un plazo corto para cada país.',
      },
      'I-821D': {
        means: 'Su expulsión queda aplazada hasta la fecha que indica el aviso. Esto no es un estatus legal.',
        todo: 'Pida la renovación a tiempo, unos cuatro a cinco meses antes de esa fecha, junto con el permiso de trabajo.',
      },
      'N-600': {
        means:
          'La agencia reconoce que usted es ciudadano. Después recibirá el certificado, a menudo tras un juramento.',
        todo: 'Espere el aviso de una cita o el certificado, y revise cada renglón.',
      },
    },
  },
  'Case Was Denied': {
    means:
      'La agencia dijo que no a este formulario. El aviso de la decisión contiene las razones y dice si es posible una apelación o una moción.',
    todo: 'Lea el aviso apenas llegue: el plazo para apelar es corto, a menudo cerca de un mes, y empieza en la fecha de la decisión. Considere consultar a un abogado de inmigración.',
    forms: {
      'I-485': {
        todo: 'Lea el aviso apenas llegue: es posible que ya no tenga permiso para quedarse y que un tribunal tome el caso. Consulte ahora a un abogado de inmigración.',
      },
      'I-539': {
        todo: 'Lea el aviso apenas llegue. Si su estadía anterior ya venció, puede ser importante salir pronto: consulte ahora a un abogado de inmigración.',
      },
      'I-589': {
        todo: 'Lea el aviso apenas llegue: dice si el caso pasa a un tribunal de inmigración, donde se puede pedir asilo de nuevo. Busque ayuda legal ahora.',
      },
      'N-400': {
        todo: 'Lea el aviso apenas llegue. Puede pedir una audiencia con el Formulario N-336 dentro del plazo que indica, o presentar otra solicitud más adelante.',
      },
    },
  },
};
