import { foldStatus } from '../fold-status.ts';
import type { PlanEndReason } from '../limits.ts';
import {
  centsText,
  type PlanChange,
  type PlanWords,
  type PriceChange,
  provideTexts,
} from '../translations.ts';
import { STATUS_NAMES_ES } from './status-names.ts';

const END_REASONS: Readonly<Record<PlanEndReason, string>> = {
  'payment-failed': 'porque falló el pago',
  canceled: 'porque se canceló',
  refunded: 'porque su pago fue reembolsado o disputado',
};

function planWords({ milestone, reason, priceChange }: PlanChange, day: string): PlanWords {
  switch (milestone) {
    case 'trial-ending':
      return {
        title: `Su prueba gratis termina el ${day}`,
        text: `El primer pago se cobra el ${day}, y Pro continúa. Si cancela antes, no paga nada.`,
        action: { label: 'Ver o cambiar su plan', path: '/profile' },
      };
    case 'trial-without-card':
      return {
        title: `Su prueba gratis termina el ${day}`,
        text: `No hay una tarjeta para el cobro, así que Pro termina con la prueba y usted no paga nada. Agregue una tarjeta antes del ${day} para conservar Pro.`,
        action: { label: 'Agregar una tarjeta', path: '/profile' },
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
        text: `Pro terminó el ${day} ${END_REASONS[reason ?? 'canceled']}. Sus casos guardados se conservan. Las consultas automáticas están en pausa y se reanudan cuando tenga Pro otra vez.`,
        action: { label: 'Recuperar Pro', path: '/upgrade' },
      };
    case 'pro-returned':
      return {
        title: 'Pro está de vuelta',
        text: 'Se reanudaron las consultas automáticas de sus casos guardados, con la frecuencia que usted eligió.',
        action: { label: 'Ver sus casos guardados', path: '/saved-cases' },
      };
    case 'price-changing':
      return {
        title: `El precio de Pro cambia el ${day}`,
        text: `${priceChange ? `Pro costará ${newPrice(priceChange)}. ` : ''}Usted paga el precio nuevo desde su primera renovación a partir del ${day}. ${priceChange ? 'Ambos precios son antes de impuestos y descuentos. ' : ''}Si no lo desea, cancele antes en la página de su perfil; conserva Pro durante el tiempo que ya pagó.`,
        action: { label: 'Ver o cambiar su plan', path: '/profile' },
      };
  }
}

const newPrice = ({ oldCents, newCents, yearly }: PriceChange) =>
  `${centsText(newCents)} ${yearly ? 'al año' : 'al mes'} en lugar de ${centsText(oldCents)}`;

const NAMES = new Map(Object.entries(STATUS_NAMES_ES).map(([title, name]) => [foldStatus(title), name]));

provideTexts('es', { statusName: (title) => NAMES.get(foldStatus(title)), planWords });
