import type { RequestHandler } from 'express';
import { withoutCardNumbers } from '../domain/stray-cards.ts';
import type { SandboxParts } from '../sandbox-parts.ts';
import { defaultTenant } from '../domain/state.ts';
import { errorB, sendReply } from './wire-reply.ts';

/** Envelope B 404 (N21), the corrected spelling of `intiate` included (§9). */
export function unknownRoute({ machine, requestLog }: SandboxParts): RequestHandler {
  return (request, response) => {
    const requestId = requestLog.nextId();
    const path = withoutCardNumbers(request.baseUrl + request.path).slice(0, 200);
    const isCorrected = path.endsWith('/payment/checkout/initiate');
    const reply = errorB(404, `Cannot ${request.method} ${path}`, {
      decidedBy: isCorrected ? 'corrected-spelling' : 'unknown-route',
      tier: isCorrected ? 'spec §9' : 'assumed N21',
      ...(isCorrected
        ? { hint: 'The path is spelled intiate; that spelling is fixed (section 9).' }
        : {}),
    });
    sendReply(response, reply, requestId);
    requestLog.add(defaultTenant, {
      id: requestId,
      at: new Date(machine.now(defaultTenant)).toISOString(),
      operation: null,
      environment: path.startsWith('/production/') ? 'production' : 'staging',
      method: request.method,
      path,
      status: reply.status,
      merchantOrderId: null,
      sessionId: null,
      decidedBy: reply.decidedBy,
      tier: reply.tier,
      request: {},
      faults: [],
      durationMs: 0,
    });
  };
}
