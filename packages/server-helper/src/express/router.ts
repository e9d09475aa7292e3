import express, { type ErrorRequestHandler, type Request, type Router } from 'express';
import { nameOf } from '../error-name.ts';
import type { PaymentFlows } from '../flows/payment-flows.ts';
import { GatewayError } from '../gateway/gateway-error.ts';
import type { Logger } from '../logger.ts';
import type { Tokens } from '../tokens.ts';
import type { Wiring } from '../wiring.ts';
import { sendAnswer, type Answer } from './answer.ts';
import { checkout } from './checkout.ts';
import { health } from './health.ts';
import { invalidAddress, problem, problemOf } from './problem.ts';
import { readableAnswer } from './problem-page.ts';
import { shopperReturned } from './return.ts';
import { paymentStatus } from './status.ts';
import { webhookArrived } from './webhook.ts';

/** What the routes are thin over. */
export interface RouterParts<Tx> {
  readonly flows: PaymentFlows<Tx>;
  readonly tokens: Tokens;
  readonly wiring: Wiring;
  readonly logger: Logger;
}

type Handler = (request: Request) => Promise<Answer> | Answer;

/** Makes the router: every route reads, decides and answers once, and no error escapes. */
export function createRouter<Tx>({ flows, tokens, wiring, logger }: RouterParts<Tx>): Router {
  const router = express.Router();
  const confirmWithin = flows.confirmWithin.bind(flows);
  const { routes, mountPath } = wiring;

  const add = (method: 'get' | 'post' | 'all', path: string | false, handle: Handler): void => {
    if (path === false) return;
    router[method](path, async (request, response, next) => {
      try {
        const answer = await answerSafely(request, mountPath, handle, logger);
        sendAnswer(response, readableAnswer(request, answer, wiring.publicUrl));
      } catch (error) {
        // Express 4 does not see a rejection: what still fails here, a logger say, must not hang.
        next(error);
      }
    });
  };
  const under = (path: string | false, rest: string): string | false =>
    path === false ? false : `${path}${rest}`;

  add('post', routes.checkout, (request) =>
    checkout(request, {
      publicOrigin: wiring.publicOrigin,
      ensureLink: (orderId, asking) => flows.ensureLink(orderId, asking),
    }),
  );
  const onError = (error: unknown): void => logAnswer(logger, error, 503);
  for (const which of ['success', 'failure']) {
    const path = under(routes.return, `/${which}/:token`);
    const handle: Handler = (request) =>
      shopperReturned(tokenOf(request), { tokens, wiring, confirmWithin, onError });
    add('get', path, handle);
    add('post', path, handle);
  }
  add('get', under(routes.status, '/:token'), (request) =>
    paymentStatus(tokenOf(request), { tokens, confirmWithin }),
  );
  const onWebhook: Handler = (request) =>
    webhookArrived(request, { hint: (text) => flows.hint(text), onError });
  add('post', routes.webhook, onWebhook);
  add('post', under(routes.webhook, '/:key'), onWebhook);
  add('get', routes.health, () => health(() => flows.backlog()));
  add('all', routes.checkout, () =>
    problem('method_not_allowed', 'Send a POST.', { headers: { allow: 'POST' } }),
  );
  router.use(onUnreadableAddress);
  return router;
}

/** A token with a broken percent sign fails before its route runs: it is a bad token like others. */
const onUnreadableAddress: ErrorRequestHandler = (error, _request, response, next) => {
  if (error instanceof URIError) sendAnswer(response, invalidAddress());
  else next(error);
};

const tokenOf = (request: Request): string => String(request.params['token'] ?? '');

async function answerSafely(
  request: Request,
  mountPath: string,
  handle: Handler,
  logger: Logger,
): Promise<Answer> {
  if (request.baseUrl.toLowerCase() !== mountPath.toLowerCase()) {
    const detail = `The router is mounted at "${request.baseUrl}", but mountPath is "${mountPath}".`;
    logger.error({ code: 'mount_mismatch' }, detail);
    return problem('mount_mismatch', 'The shop’s payments are not set up correctly.');
  }
  try {
    return await handle(request);
  } catch (error) {
    // The browser went away in mid-request: nobody is there to answer, and nothing is wrong here.
    if (request.destroyed && !request.complete) return problem('invalid_body', 'The body was cut.');
    const answer = problemOf(error);
    logAnswer(logger, error, answer.status);
    return answer;
  }
}

/** Refusals that a shopper can cause are no events for an operator. */
function logAnswer(logger: Logger, error: unknown, status: number): void {
  if (status < 500) return;
  if (error instanceof GatewayError) {
    const { code, operation, outcome, httpStatus, gatewayMessages, requestId } = error;
    const fields = { code, operation, outcome, httpStatus, gatewayMessages, requestId };
    logger.error(fields, 'the gateway gave no payment link');
    return;
  }
  logger.error({ error: nameOf(error), status }, 'a request could not be answered well');
}
