import type { GuideTitle } from '../status-guide.ts';

/** Every known status title in Spanish. */
export const STATUS_NAMES_ES: Readonly<Record<GuideTitle, string>> = {
  'Advance Parole Document Was Produced': 'Se produjo el documento de permiso adelantado de viaje',
  'Amended Notice Was Mailed': 'Se envió por correo una notificación enmendada',
  'Appeal Was Approved': 'La apelación fue aprobada',
  'Appeal Was Dismissed': 'La apelación fue desestimada',
  'Appeal Was Remanded To The Originating Office For Consideration':
    'La apelación fue devuelta a la oficina de origen para su consideración',
  'Appeal Was Terminated and A Notice Was Mailed To Me':
    'La apelación terminó y se me envió una notificación por correo',
  'Biometrics Appointment Was Scheduled': 'Se programó la cita para datos biométricos',
  'CWR Notice of Intent to Revoke Sent': 'Se envió la notificación de intención de revocar (CWR)',
  'Card Destroyed': 'Tarjeta destruida',
  'Card Is Being Returned to USCIS by Post Office': 'La oficina postal está devolviendo la tarjeta a USCIS',
  'Card Was Delivered To Me By The Post Office': 'La oficina postal me entregó la tarjeta',
  'Card Was Destroyed': 'La tarjeta fue destruida',
  'Card Was Mailed To Me': 'Se me envió la tarjeta por correo',
  'Card Was Picked Up By The United States Postal Service':
    'El Servicio Postal de los Estados Unidos recogió la tarjeta',
  'Card Was Received By USCIS Along With My Letter': 'USCIS recibió la tarjeta junto con mi carta',
  'Card Was Returned To USCIS': 'La tarjeta fue devuelta a USCIS',
  'Case Accepted By The USCIS Lockbox': 'El caso fue aceptado por el apartado postal seguro de USCIS',
  'Case Approval Was Certified By USCIS': 'USCIS certificó la aprobación del caso',
  'Case Approval Was Reaffirmed And Mailed Back To Department Of State':
    'Se reafirmó la aprobación del caso y se devolvió por correo al Departamento de Estado',
  'Case Closed Benefit Received By Other Means':
    'Caso cerrado porque el beneficio se recibió por otros medios',
  'Case Is On Hold Because Of Pending Litigation': 'El caso está en espera debido a un litigio pendiente',
  'Case Is Pending at a Local Office': 'El caso está pendiente en una oficina local',
  'Case Rejected Because I Sent An Incorrect Fee': 'Caso rechazado porque envié una tarifa incorrecta',
  'Case Rejected Because The Version Of The Form I Sent Is No Longer Accepted':
    'Caso rechazado porque ya no se acepta la versión del formulario que envié',
  'Case Rejected For Form Not Signed And Incorrect Form Version':
    'Caso rechazado por formulario sin firma y versión incorrecta',
  'Case Rejected For Incorrect Fee And Form Not Signed':
    'Caso rechazado por tarifa incorrecta y formulario sin firma',
  'Case Rejected For Incorrect Fee And Incorrect Form Version':
    'Caso rechazado por tarifa incorrecta y versión incorrecta del formulario',
  'Case Rejected For Incorrect Fee And Payment Not Signed':
    'Caso rechazado por tarifa incorrecta y pago sin firma',
  'Case Rejected For Incorrect Fee, Payment Not Signed And Incorrect Form Version':
    'Caso rechazado por tarifa incorrecta, pago sin firma y versión incorrecta del formulario',
  'Case Transferred And New Office Has Jurisdiction':
    'Caso transferido y una nueva oficina tiene jurisdicción',
  'Case Transferred To Another Office': 'Caso transferido a otra oficina',
  'Case Was Approved': 'El caso fue aprobado',
  'Case Was Approved And A Decision Notice Was Sent':
    'El caso fue aprobado y se envió una notificación de decisión',
  'Case Was Approved And My Decision Was Emailed':
    'El caso fue aprobado y se envió mi decisión por correo electrónico',
  'Case Was Automatically Revoked': 'El caso fue revocado automáticamente',
  'Case Was Denied': 'El caso fue denegado',
  'Case Was Denied And My Decision Notice Mailed':
    'El caso fue denegado y se envió por correo la notificación de la decisión',
  'Case Was Received': 'El caso fue recibido',
  'Case Was Received At Another USCIS Office': 'El caso fue recibido en otra oficina de USCIS',
  'Case Was Received and A Receipt Notice Was Emailed':
    'El caso fue recibido y se envió un aviso de recibo por correo electrónico',
  'Case Was Rejected Because I Did Not Sign My Form': 'El caso fue rechazado porque no firmé mi formulario',
  'Case Was Rejected Because It Was Improperly Filed':
    'El caso fue rechazado porque se presentó de forma incorrecta',
  'Case Was Rejected Because My Check Or Money Order Is Not Signed':
    'El caso fue rechazado porque mi cheque o giro postal no está firmado',
  'Case Was Relocated From Administrative Appeals Office To USCIS Originating Office':
    'El caso fue trasladado de la Oficina de Apelaciones Administrativas a la oficina de origen de USCIS',
  'Case Was Reopened': 'El caso fue reabierto',
  'Case Was Reopened For Reconsideration': 'El caso fue reabierto para reconsideración',
  'Case Was Sent To The Administrative Appeals Office for Review':
    'El caso fue enviado a la Oficina de Apelaciones Administrativas para su revisión',
  'Case Was Sent To The Department of State': 'El caso fue enviado al Departamento de Estado',
  'Case Was Sent To The Executive Office of Immigration Review':
    'El caso fue enviado a la Oficina Ejecutiva de Revisión de Casos de Inmigración',
  'Case Was Transferred And A New Office Has Jurisdiction':
    'El caso fue transferido y una nueva oficina tiene jurisdicción',
  'Case Was Transferred To An Asylum Office': 'El caso fue transferido a una oficina de asilo',
  'Case Was Transferred To International Office/Consulate':
    'El caso fue transferido a una oficina internacional o consulado',
  'Case Was Transferred To Schedule An Interview': 'El caso fue transferido para programar una entrevista',
  'Case Was Updated To Show Fingerprints Were Taken':
    'El caso fue actualizado para indicar que se tomaron las huellas dactilares',
  'Case Was Updated To Show That No One Appeared for In-Person Processing':
    'El caso fue actualizado para indicar que nadie se presentó al trámite en persona',
  'Case is Ready to Be Scheduled for An Interview': 'El caso está listo para que se programe una entrevista',
  'Continuation Notice Was Mailed': 'Se envió por correo una notificación de continuación',
  'Correspondence Was Received And USCIS Is Reviewing It':
    'Se recibió correspondencia y USCIS la está revisando',
  'Date of Birth Was Updated': 'Se actualizó la fecha de nacimiento',
  'Department of State Sent Case to USCIS For Review':
    'El Departamento de Estado envió el caso a USCIS para su revisión',
  'Document Destroyed': 'Documento destruido',
  'Document Was Destroyed And Letter Was Received': 'El documento fue destruido y se recibió la carta',
  'Document Was Mailed': 'El documento fue enviado por correo',
  'Document Was Mailed To Me': 'Se me envió el documento por correo',
  'Document Was Returned To USCIS': 'El documento fue devuelto a USCIS',
  'Duplicate Notice Was Mailed': 'Se envió por correo un duplicado de la notificación',
  'Eligibility Notice Was Mailed': 'Se envió por correo una notificación de elegibilidad',
  'Expedite Request Approved': 'Solicitud de agilización aprobada',
  'Expedite Request Denied': 'Solicitud de agilización denegada',
  'Expedite Request Received': 'Solicitud de agilización recibida',
  'Fee Refund Was Mailed': 'Se envió por correo el reembolso de la tarifa',
  'Fee Will Be Refunded': 'Se reembolsará la tarifa',
  'Fees Were Waived': 'Se eximió el pago de las tarifas',
  'Filed Under Known Employer Pilot': 'Presentado bajo el programa piloto de empleador conocido',
  'Fingerprint Fee Was Received': 'Se recibió la tarifa de huellas dactilares',
  'Fingerprint and Biometrics Appointment Was Scheduled':
    'Se programó la cita para huellas dactilares y datos biométricos',
  'Form G-28 Was Rejected Because It Was Improperly Filed':
    'El Formulario G-28 fue rechazado porque se presentó de forma incorrecta',
  'Intent To Rescind Notice Was Mailed': 'Se envió por correo la notificación de intención de rescindir',
  'Intent to Revoke Notice Was Sent': 'Se envió la notificación de intención de revocar',
  'Interview Cancelled': 'Entrevista cancelada',
  'Interview Cancelled And Notice Ordered': 'Entrevista cancelada; se enviará una notificación',
  'Interview Was Completed And My Case Must Be Reviewed':
    'La entrevista fue completada y mi caso debe ser revisado',
  'Interview Was Rescheduled': 'La entrevista fue reprogramada',
  'Interview Was Scheduled': 'Se programó la entrevista',
  'Litigation Notice Was Mailed': 'Se envió por correo una notificación de litigio',
  'Name Was Updated': 'Se actualizó el nombre',
  'New Card Is Being Produced': 'Se está produciendo una nueva tarjeta',
  'Notice Explaining USCIS Actions Was Mailed':
    'Se envió por correo una notificación que explica las acciones de USCIS',
  'Notice Was Returned To USCIS Because The Post Office Could Not Deliver It':
    'La notificación fue devuelta a USCIS porque la oficina postal no pudo entregarla',
  'Petition/Application Was Rejected For Insufficient Funds':
    'La petición o solicitud fue rechazada por fondos insuficientes',
  'Premium Processing Case is Eligible for Pre-Certification':
    'El caso con procesamiento prioritario es elegible para precertificación',
  'Premium Processing Case is Not Eligible for Pre-Certification':
    'El caso con procesamiento prioritario no es elegible para precertificación',
  'Reentry Permit Was Produced': 'Se produjo el permiso de reingreso',
  'Refugee Travel Document Was Produced': 'Se produjo el documento de viaje para refugiado',
  'Request For A Duplicate Card Was Approved': 'Se aprobó la solicitud de una tarjeta duplicada',
  'Request For Premium Processing Services Was Received':
    'Se recibió la solicitud de servicios de procesamiento prioritario',
  'Request To Reschedule My Appointment Was Received': 'Se recibió la solicitud de reprogramar mi cita',
  'Request for Additional Evidence Was Sent': 'Se envió una solicitud de evidencia adicional',
  'Request for Additional Information Received': 'Se recibió la información adicional solicitada',
  'Request for Initial Evidence Was Sent': 'Se envió una solicitud de evidencia inicial',
  "Response To USCIS' Request For Evidence Was Received":
    'Se recibió la respuesta a la solicitud de evidencia de USCIS',
  'Resubmitted Fee Was Not Accepted': 'No se aceptó la tarifa reenviada',
  'Revocation Notice Was Sent': 'Se envió la notificación de revocación',
  'Status Termination Notice Was Mailed': 'Se envió por correo la notificación de terminación de estatus',
  'Termination Notice Sent': 'Se envió la notificación de terminación',
  'Travel Document Was Destroyed': 'El documento de viaje fue destruido',
  'Travel Document Was Destroyed After USCIS Held It For 180 Days':
    'El documento de viaje fue destruido después de que USCIS lo retuvo por 180 días',
  'Travel Document Was Mailed': 'El documento de viaje fue enviado por correo',
  'Travel Document Was Received By USCIS Along With My Letter':
    'USCIS recibió el documento de viaje junto con mi carta',
  'Travel Document Was Returned to USCIS And Will Be Held For 180 Days':
    'El documento de viaje fue devuelto a USCIS y será retenido por 180 días',
  'Withdrawal Acknowledgement Notice Was Sent': 'Se envió la notificación de acuse de recibo del retiro',
  'Withdrawal Of My Appeal Was Acknowledged': 'Se reconoció el retiro de mi apelación',
};
