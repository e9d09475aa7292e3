import { setTimeout as delay } from 'node:timers/promises';
import type { Response } from 'express';
import type { Fault } from '../faults.ts';
import { errorB, sendReply } from './wire-reply.ts';

const maintenancePage = `<!doctype html><html lang="en"><title>Maintenance</title>
<h1>We will be back shortly</h1><p>The service is under maintenance.</p></html>`;

/**
 * Lets a fault act on a call. Answers the status that the caller saw, null when it saw none, or
 * `continue` when the call goes on.
 */
export async function strike(
  fault: Fault,
  response: Response,
  requestId: string,
): Promise<number | null | 'continue'> {
  const knowledge = { decidedBy: 'fault', tier: 'fault' };
  switch (fault.kind) {
    case 'latency':
      await delay(fault.latencyMs);
      return 'continue';
    case 'reset':
      response.socket?.resetAndDestroy();
      return null;
    case 'html':
      response
        .status(fault.status)
        .set({ 'x-sandbox-request-id': requestId, 'x-sandbox-decided-by': 'fault' })
        .type('html')
        .send(maintenancePage);
      return fault.status;
    case 'status':
      sendReply(response, errorB(fault.status, 'Injected fault', knowledge), requestId);
      return fault.status;
  }
}
