import type { Request } from 'express';
import { checkKey } from '../credentials.ts';
import type { Credentials } from '../credentials.ts';
import type { Environment } from '../domain/session.ts';
import { errorB } from './wire-reply.ts';
import type { WireReply } from './wire-reply.ts';

/** The 401 of a payment call (§7), or null when its key is good. */
export function refuseKey(
  request: Request,
  credentials: Credentials,
  environment: Environment,
): WireReply | null {
  const key = request.get('x-api-key');
  if (key === undefined || key === '') {
    return request.get('authorization') === undefined
      ? unauthorized('API key is missing', 'api-key-missing')
      : unauthorized(
          'A portal token cannot be used for payment APIs; send the API key in x-api-key',
          'wrong-credential-type',
        );
  }
  switch (checkKey(credentials, environment, key)) {
    case 'valid':
      return null;
    case 'other-environment':
      return unauthorized(
        `API key does not belong to the ${environment} environment`,
        'wrong-environment',
      );
    case 'invalid':
      return unauthorized('Invalid API key', 'api-key-invalid');
  }
}

function unauthorized(message: string, decidedBy: string): WireReply {
  return errorB(401, message, { decidedBy, tier: 'spec §7' });
}
