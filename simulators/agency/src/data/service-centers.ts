const SERVICE_CENTERS = new Map([
  ['EAC', { en: 'Vermont Service Center', es: 'Centro de Servicio de Vermont' }],
  ['WAC', { en: 'California Service Center', es: 'Centro de Servicio de California' }],
  ['LIN', { en: 'Nebraska Service Center', es: 'Centro de Servicio de Nebraska' }],
  ['SRC', { en: 'Texas Service Center', es: 'Centro de Servicio de Texas' }],
  ['MSC', { en: 'National Benefits Center', es: 'Centro Nacional de Beneficios' }],
  ['NBC', { en: 'National Benefits Center', es: 'Centro Nacional de Beneficios' }],
  ['YSC', { en: 'Potomac Service Center', es: 'Centro de Servicio de Potomac' }],
  ['IOE', { en: 'online filing system', es: 'sistema de presentación en línea' }],
]);

/** The office that the receipt number's first three letters name. */
export function serviceCenter(receiptNumber: string): { en: string; es: string } {
  return SERVICE_CENTERS.get(receiptNumber.slice(0, 3)) ?? { en: 'service center', es: 'centro de servicio' };
}
