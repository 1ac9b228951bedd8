import {
  type AgencyReply,
  agencyErrors,
  errorReply,
  htmlReply,
  jsonReply,
  textReply,
} from './agency-reply.ts';
import { makeUpCase } from './case-record.ts';
import type { Fault } from './faults.ts';
import { type HostileMode, hostileReply } from './hostile-reply.ts';
import { brokenText, changedShape, statusDocument } from './status-document.ts';

const MAINTENANCE_PAGE = `<!DOCTYPE html>
<html lang="en"><head><title>Scheduled Maintenance</title></head>
<body><h1>We will be back soon</h1><p>Case Was Approved notices can't be shown during maintenance.</p></body></html>
`;

/** Returns what a status call gets under a fault; undefined when the true answer follows (`slow`). */
export function faultyStatusReply({ mode, shape }: Fault, receiptNumber: string): AgencyReply | undefined {
  switch (mode) {
    case 'invalid-json':
      return textReply(200, brokenText(statusDocument(makeUpCase(receiptNumber))));
    case 'changed-shape':
      return jsonReply(200, changedShape(statusDocument(makeUpCase(receiptNumber))));
    case 'not-found':
      return agencyErrors.notRecognized(shape);
    case 'refused':
      return agencyErrors.refused(shape);
    case 'rate-limited':
      return agencyErrors.spikeArrest(shape);
    case 'unauthorized':
      return agencyErrors.unauthorized(shape);
    default:
      return faultyReplyAnywhere(mode, shape, statusDocument(makeUpCase(receiptNumber)));
  }
}

/** Returns what a token request gets under a fault; undefined when the true answer follows (`slow`). */
export function faultyTokenReply({ mode, shape }: Fault): AgencyReply | undefined {
  switch (mode) {
    case 'invalid-json':
      return textReply(200, '{"access_token": "cut off');
    case 'changed-shape':
      return jsonReply(200, { token: { value: 'under another name' }, status: 'approved' });
    case 'not-found':
      return errorReply(404, 'Not Found', shape ?? 'flat');
    case 'refused':
      return errorReply(422, 'Unprocessable Request', shape ?? 'flat');
    case 'rate-limited':
      return agencyErrors.spikeArrest(shape);
    case 'unauthorized':
      return errorReply(401, 'Invalid Client Credentials', shape ?? 'flat');
    default:
      return faultyReplyAnywhere(mode, shape, { access_token: 'hostile', expires_in: '1799' });
  }
}

function faultyReplyAnywhere(
  mode: 'html' | 'unavailable' | 'timeout' | 'reset' | 'slow' | HostileMode,
  shape: Fault['shape'],
  truth: object,
): AgencyReply | undefined {
  switch (mode) {
    case 'html':
      return htmlReply(200, MAINTENANCE_PAGE);
    case 'unavailable':
      return agencyErrors.unavailable(shape);
    case 'timeout':
      return 'hold';
    case 'reset':
      return 'reset';
    case 'slow':
      return undefined;
    default:
      return hostileReply(mode, truth);
  }
}
