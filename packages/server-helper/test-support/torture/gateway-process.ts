import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { inA, ScriptedGateway, sendJson, statusAnswer, statusRow } from '../scripted-gateway.ts';

// The gateway's truth in a process of its own, which nobody kills. Beside the gateway's calls it has
// a shopper's (`/pay`), the merchant's mailbox (`/handled`), the truth itself (`/truth`), and a way to
// keep a session's status answers back until so many are asked for (`/hold?sessionId=…&calls=2`).

interface Session {
  readonly orderId: string;
  /** Where the shopper is sent, as the shop asked. */
  readonly successUrl: string;
  readonly failureUrl: string;
  transactionId: string | null;
  refundedMinorUnits: number;
}

/** Answers take up to so long, so that processes die while they wait. */
const LONGEST_ANSWER_MS = 15;
const AMOUNT_MINOR_UNITS = 11_500;

const sessions = new Map<string, Session>();
const refunds = new Map<string, number>();
const handled = new Map<string, number>();
/** When the status calls of each session came, in milliseconds since the epoch. */
const statusCalls = new Map<string, number[]>();
let held:
  | { readonly sessionId: string; readonly calls: number; readonly release: (() => void)[] }
  | undefined;

const count = (counts: Map<string, number>, key: string): void =>
  void counts.set(key, (counts.get(key) ?? 0) + 1);

const gateway = await new ScriptedGateway().start();
process.stdout.write(`${JSON.stringify({ port: Number(new URL(gateway.origin).port) })}\n`);
// Its life hangs on its parent's.
process.stdin.resume().once('end', () => process.exit());

gateway.script = async ({ path, query, body: sent }, response) => {
  // The truth is kept, and no request.
  gateway.seen.length = 0;
  const body = (sent ?? {}) as Readonly<Record<string, unknown>>;
  if (path.startsWith('/v1')) await setTimeout(Math.random() * LONGEST_ANSWER_MS);
  switch (path) {
    case '/v1/payment/checkout/intiate':
      return createLink(body, response);
    case '/v1/payment/checkout/status':
      return answerStatus(query.get('id') ?? '', response);
    case '/v1/payment/s2s/refund':
      return refund(String(body['transactionId']), Number(body['amount']), response);
    case '/pay':
      return pay(query.get('sessionId') ?? '', response);
    case '/hold':
      held = {
        sessionId: query.get('sessionId') ?? '',
        calls: Number(query.get('calls')),
        release: [],
      };
      return sendJson(response, 200, {});
    case '/handled':
      count(handled, String(body['id']));
      return sendJson(response, 200, {});
    case '/truth':
      return sendJson(response, 200, truth());
    default:
      return sendJson(response, 404, {});
  }
};

async function answerStatus(sessionId: string, response: ServerResponse): Promise<void> {
  statusCalls.set(sessionId, [...(statusCalls.get(sessionId) ?? []), Date.now()]);
  await turn(sessionId);
  sendJson(response, 200, statusAnswer(rowsOf(sessionId)));
}

/** Waits until as many status calls of the session are here as are held back; then all go on. */
function turn(sessionId: string): Promise<void> | undefined {
  if (held?.sessionId !== sessionId) return undefined;
  const { calls, release } = held;
  const wait = new Promise<void>((resolve) => release.push(resolve));
  if (release.length < calls) return wait;
  held = undefined;
  for (const go of release) go();
  return wait;
}

function createLink(body: Readonly<Record<string, unknown>>, response: ServerResponse): void {
  const id = randomUUID();
  const orderId = String(body['merchantOrderId']).split('~')[0] ?? '';
  const successUrl = String(body['successUrl']);
  const failureUrl = String(body['failureUrl']);
  const money = { transactionId: null, refundedMinorUnits: 0 };
  sessions.set(id, { orderId, successUrl, failureUrl, ...money });
  const redirectUrl = `${gateway.origin}/checkout?sessionId=${id}`;
  sendJson(response, 201, { id, redirectUrl });
}

function rowsOf(id: string): readonly unknown[] {
  const session = sessions.get(id);
  if (session === undefined || session.transactionId === null) return [];
  const { transactionId, refundedMinorUnits } = session;
  const refundStatus = refundedMinorUnits === 0 ? 'NONE' : 'PARTIAL';
  const totalRefundAmount = (refundedMinorUnits / 100).toFixed(2);
  return [statusRow({ transactionId, refundStatus, totalRefundAmount })];
}

function pay(id: string, response: ServerResponse): void {
  const session = sessions.get(id);
  if (session !== undefined) session.transactionId ??= randomUUID();
  if (session === undefined) return sendJson(response, 404, {});
  const { successUrl, failureUrl } = session;
  sendJson(response, 200, { successUrl, failureUrl });
}

function refund(transactionId: string, amount: number, response: ServerResponse): void {
  const session = [...sessions.values()].find((one) => one.transactionId === transactionId);
  const minorUnits = Math.round(amount * 100);
  if (session === undefined || session.refundedMinorUnits + minorUnits > AMOUNT_MINOR_UNITS) {
    return sendJson(response, 422, { message: 'No such money.' });
  }
  session.refundedMinorUnits += minorUnits;
  count(refunds, session.orderId);
  const ids = { referenceId: randomUUID(), paymentId: '1', refundId: randomUUID() };
  const taken = { result: 'accepted', message: 'Refund accepted', amount: amount.toFixed(2) };
  sendJson(response, 200, inA({ ...taken, ...ids }));
}

function truth() {
  const paid = [...sessions.values()].filter(({ transactionId }) => transactionId !== null);
  return {
    paid: paid.map(({ orderId }) => orderId),
    refunds: Object.fromEntries(refunds),
    handled: Object.fromEntries(handled),
    statusCalls: Object.fromEntries(statusCalls),
  };
}
