import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Edge } from '../edges/edge.ts';
import { problem } from '../edges/problem.ts';
import { helpAddress } from '../errors.ts';
import type { Logger } from '../logger.ts';
import { countsAddresses, type EdgeSettings } from '../options/edge-settings.ts';
import type { Wiring } from '../options/wiring.ts';
import { NodeRequest, placeIn, trustsEveryone, type FramedRequest } from './node-request.ts';
import { checkRouterOptions, type RouterOptions } from './router-options.ts';
import { send, sendAnswer } from './send-answer.ts';

/**
 * A middleware for any server on Node: Express, Connect, Fastify, Koa, NestJS. A framework may mount
 * it at `mountPath` or at no path. Without `next` it is a whole listener for `createServer` of
 * `node:http`, and answers 404 to what is no route.
 *
 * @example
 * app.use('/pay', payments.router());
 */
export type Router = (
  request: IncomingMessage,
  response: ServerResponse,
  next?: (error?: unknown) => void,
) => void;

/** The routes as a middleware, which finds them where a mount was taken off the address or none was. */
export function createRouter(
  edge: Edge,
  { mountPath, publicMount }: Pick<Wiring, 'mountPath' | 'publicMount'>,
  { bodyTimeoutMs, limits }: EdgeSettings,
  logger: Logger,
  options: RouterOptions = {},
): Router {
  checkRouterOptions(options);
  const { passErrors = false } = options;
  const warn = countsAddresses(limits) ? proxyWarning(logger) : () => undefined;
  return (request, response, next) => {
    const place = placeIn(request, [publicMount, mountPath]);
    const answering = place && edge.answer(new NodeRequest(request, place, bodyTimeoutMs));
    if (answering !== null) {
      warn(request);
      void sendAnswer(response, answering, next, passErrors);
    } else if (next === undefined) {
      send(response, problem('not_found', 'There is no such address.'));
    } else {
      next();
    }
  };
}

/**
 * Warns once when limits by address cannot work: a proxy is there and the app trusts none, or the app
 * trusts every address in a header.
 */
function proxyWarning(logger: Logger): (request: FramedRequest) => void {
  let hasWarned = false;
  const warn = (code: string, message: string): void => {
    hasWarned = true;
    logger.warn({ code }, message);
  };
  return (request) => {
    if (hasWarned) return;
    if (request.headers['x-forwarded-for'] !== undefined && trustsNobody(request)) {
      warn(
        'untrusted_proxy',
        `A request bears X-Forwarded-For, but the app trusts no proxy: all shoppers count as one address. In Express set app.set("trust proxy", …) to the number or addresses of your proxies; elsewhere give the request its shopper’s address as request.ip before the router; or set limits to false. See ${helpAddress('untrusted_proxy')}`,
      );
    } else if (trustsEveryone(request)) {
      warn(
        'permissive_proxy',
        `The app trusts every X-Forwarded-For, so that anyone can pass for another address. Set app.set("trust proxy", …) to the number or addresses of your proxies. See ${helpAddress('permissive_proxy')}`,
      );
    }
  };
}

/** Whether no header moves the shopper's address away from the connection's. */
function trustsNobody({ app, ip, socket }: FramedRequest): boolean {
  if (app === undefined) return ip === undefined || ip === socket.remoteAddress;
  const trust = app.get('trust proxy');
  return trust === false || trust === undefined || trust === 0;
}
