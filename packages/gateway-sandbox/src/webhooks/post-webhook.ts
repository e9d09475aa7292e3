import dns from 'node:dns';
import { request as requestHttp } from 'node:http';
import type { ClientRequest } from 'node:http';
import { request as requestHttps } from 'node:https';
import { BlockList, isIP } from 'node:net';
import type { LookupFunction } from 'node:net';
import type { AttemptResult } from '../domain/events.ts';

export interface WebhookPost {
  readonly url: string;
  readonly body: string;
  /** The signature and the delivery's id. */
  readonly headers: Readonly<Record<string, string>>;
  /** Until the answer's head has come. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Whether a name may lead to this machine. */
  readonly mayComeBack: boolean;
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
    request.once('error', (error) => {
      end(error instanceof ComesBack ? 'blocked' : 'unreachable', null);
    });
    request.once('close', () => clearTimeout(timer));
    request.end(body);
  });
}

function open({ url, body, headers, signal, mayComeBack }: WebhookPost): ClientRequest {
  const { protocol } = new URL(url);
  return (protocol === 'https:' ? requestHttps : requestHttp)(url, {
    method: 'POST',
    agent: false,
    signal,
    lookup: mayComeBack ? undefined : lookUpElsewhere,
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
  /** Whether only this machine reaches the sandbox. */
  readonly isPrivate: boolean;
  /** Addresses beyond this machine too. */
  readonly allowsRemote: boolean;
}

/**
 * Whether the sandbox may send to an address. Without leave it reaches this machine only, so that
 * a webhook of production that was copied here gets no test event. A sandbox that others reach sends
 * nothing to this machine, so that they do not reach this machine's private services through it.
 * Names are judged as they are written, and once more when they are looked up for the connection.
 */
export function isAllowedTarget(
  url: string,
  { ownPort, isPrivate, allowsRemote }: TargetRule,
): boolean {
  const { protocol, hostname, port } = new URL(url);
  if (protocol !== 'http:' && protocol !== 'https:') return false;
  if (!isThisMachine(hostname)) return allowsRemote;
  const effectivePort = port === '' ? (protocol === 'http:' ? 80 : 443) : Number(port);
  return isPrivate && effectivePort !== ownPort;
}

/** Addresses that lead back to this machine, those of IPv4 in IPv6 form included. */
const ownAddresses = new BlockList();
ownAddresses.addSubnet('127.0.0.0', 8, 'ipv4');
ownAddresses.addSubnet('0.0.0.0', 8, 'ipv4');
ownAddresses.addAddress('::1', 'ipv6');
ownAddresses.addAddress('::', 'ipv6');

function isThisMachine(hostname: string): boolean {
  const address = hostname.replace(/^\[|\]$/g, '');
  const version = isIP(address);
  if (version !== 0) return isOwnAddress(address);
  return /(?:^|\.)localhost\.?$/.test(hostname);
}

const isOwnAddress = (address: string): boolean =>
  ownAddresses.check(address, isIP(address) === 4 ? 'ipv4' : 'ipv6');

/** A name leads to this machine. */
class ComesBack extends Error {}

/** Looks a name up for a connection, which is not made where the name leads to this machine. */
const lookUpElsewhere: LookupFunction = (hostname, options, callback) => {
  dns.lookup(hostname, { ...options, all: true }, (error, addresses) => {
    const [first] = error === null ? addresses : [];
    if (first === undefined) callback(error ?? new Error('no address'), []);
    else if (addresses.some(({ address }) => isOwnAddress(address))) {
      callback(new ComesBack(hostname), []);
    } else if (options.all === true) callback(null, addresses);
    else callback(null, first.address, first.family);
  });
};
