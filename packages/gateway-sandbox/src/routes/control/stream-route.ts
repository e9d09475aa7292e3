import type { Response, Router } from 'express';
import { iso } from '../../domain/clock/clock.ts';
import type { SandboxParts } from '../../sandbox-parts.ts';
import { namedTenant } from './control-call.ts';

/** A comment keeps proxies and browsers from giving up on a quiet stream. */
const heartbeatMs = 15_000;

/**
 * `stream`: server-sent events of one tenant, live. `effect` is something that happened, in the
 * words of `advance`; `request` is an entry of the requests list.
 */
export function addStreamRoute(router: Router, parts: SandboxParts): void {
  const { machine, requestLog, closing } = parts;
  router.get('/stream', (request, response) => {
    const tenant = namedTenant(request);
    const send = openStream(response);
    if (request.method === 'HEAD') {
      response.end();
      return;
    }
    const stopEffects = machine.watch((of, effects) => {
      if (of !== tenant) return;
      for (const { at, kind, id } of effects) {
        send('effect', { at: iso(at), kind, id });
      }
    });
    const stopRequests = requestLog.watch((of, entry) => {
      if (of === tenant) send('request', entry);
    });
    const heartbeat = setInterval(() => response.write(':\n\n'), heartbeatMs).unref();
    const end = () => response.end();
    closing.addEventListener('abort', end, { once: true });
    response.once('close', () => {
      clearInterval(heartbeat);
      stopEffects();
      stopRequests();
      closing.removeEventListener('abort', end);
    });
  });
}

/** Begins the stream; the answer sends one event, numbered from 1. */
function openStream(response: Response): (event: string, data: object) => void {
  response.writeHead(200, {
    'content-type': 'text/event-stream',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  });
  response.write('retry: 1000\n\n');
  let number = 0;
  return (event, data) => {
    number += 1;
    response.write(`id: ${number}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  };
}
