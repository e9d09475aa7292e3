import { request as requestHttp } from 'node:http';
import type { ClientRequest } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { AttemptResult } from '../domain/webhooks/delivery.ts';

export interface WebhookPost {
  readonly url: string;
  readonly body: string;
  /** The signature and the delivery's id. */
  readonly headers: Readonly<Record<string, string>>;
  /** Until the answer's head has come. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/**
 * Posts a webhook once, on a connection of its own, and follows no redirect. Only the answer's
 * status matters; its body is let go.
 */
export function postWebhook(post: WebhookPost): Promise<AttemptResult> {
  const { url, body, timeoutMs } = post;
  return new Promise((resolve) => {
    const request = open(post);
    const end = (outcome: AttemptResult['outcome'], status: number | null) => {
      resolve({ url, outcome, status });
    };
    const timer = setTimeout(() => {
      end('timed-out', null);
      request.destroy();
    }, timeoutMs);
    request.once('response', (answer) => {
      const { statusCode = 0 } = answer;
      end(statusCode === 200 ? 'acknowledged' : 'refused', statusCode);
      answer.once('error', () => {});
      answer.resume();
    });
    request.once('error', () => end('unreachable', null));
    request.once('close', () => clearTimeout(timer));
    request.end(body);
  });
}

function open({ url, body, headers, signal }: WebhookPost): ClientRequest {
  const { protocol } = new URL(url);
  return (protocol === 'https:' ? requestHttps : requestHttp)(url, {
    method: 'POST',
    agent: false,
    signal,
    headers: {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      'user-agent': 'pay-gateway-sandbox',
      ...headers,
    },
  });
}

/** The allowed targets of webhooks. */
export interface TargetRule {
  /** The sandbox's own port: it never calls itself. */
  readonly ownPort: number;
  /** Addresses beyond this machine too. */
  readonly allowsRemote: boolean;
}

/**
 * Whether the sandbox may send to an address. Without leave it reaches this machine only, so that
 * a webhook of production that was copied here gets no test event, and the sandbox is no way to
 * reach other machines. Names are judged as they are written; none is looked up.
 */
export function isAllowedTarget(url: string, { ownPort, allowsRemote }: TargetRule): boolean {
  const { protocol, hostname, port } = new URL(url);
  if (protocol !== 'http:' && protocol !== 'https:') return false;
  const isHere = isLoopback(hostname);
  const effectivePort = port === '' ? (protocol === 'http:' ? 80 : 443) : Number(port);
  return isHere ? effectivePort !== ownPort : allowsRemote;
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}
