import type { ServerResponse } from 'node:http';
import { endsTheCall } from '../faults.ts';
import type { CallPlace, Fault, FaultKind, Target } from '../faults.ts';
import { errorB, sendReply } from './replies.ts';
import type { WireReply } from './replies.ts';
import { jsonType, pauseFor, sendText } from '../http/messages.ts';
import type { SandboxParts } from '../sandbox-parts.ts';

export interface CallInProgress {
  readonly parts: SandboxParts;
  readonly tenant: string;
  readonly target: Target;
  readonly response: ServerResponse;
  readonly requestId: string;
  readonly injected: Injected;
}

/** The effects of the faults on a call so far. */
interface Injected {
  /** Set once the answer was given, or never will be: the status that the caller saw, if any. */
  ended: { readonly status: number | null } | null;
  /** How far behind the answer to a question has to be. */
  lagMs: number;
  /** The faults' places and kinds, for the requests list. */
  readonly faults: string[];
}

export const nothingInjected = (): Injected => ({ ended: null, lagMs: 0, faults: [] });

/**
 * Lets the faults that wait at a place act on a call; true: they ended it. Without a reply, one that
 * spoils an answer makes its own.
 */
export async function injectFaults(
  call: CallInProgress,
  place: CallPlace,
  reply: WireReply | null = null,
): Promise<boolean> {
  const { parts, tenant, target, response, requestId, injected } = call;
  const pause = (ms: number) => pauseFor(response, parts.closing, ms);
  for (const fault of parts.faults.take(tenant, place, target)) {
    injected.faults.push(`${fault.place} ${fault.kind}`);
    if (endsTheCall(fault)) {
      injected.ended = { status: await endCall(fault, { response, requestId, reply, pause }) };
    } else if (fault.kind === 'stale') injected.lagMs = fault.latencyMs;
    else await pause(fault.latencyMs);
  }
  return injected.ended !== null;
}

const maintenancePage = `<!doctype html><html lang="en"><title>Maintenance</title>
<h1>We will be back shortly</h1><p>The service is under maintenance.</p></html>
`;

/** A stall ends after this long, so that no connection stays for ever. */
const longestStallMs = 10 * 60 * 1000;

interface EndedCall {
  readonly response: ServerResponse;
  readonly requestId: string;
  /** The answer of the operation; null before it. */
  readonly reply: WireReply | null;
  readonly pause: (ms: number) => Promise<void>;
}

/** Answers the status that the caller saw, or null. */
type Ending = (fault: Fault, call: EndedCall) => number | null | Promise<number | null>;

const endings: Partial<Readonly<Record<FaultKind, Ending>>> = {
  latency: breakOff,
  stall: breakOff,
  reset: breakOff,
  cut: breakOff,
  html: ({ status }, { response }) => {
    sendText(response, status, 'text/html; charset=utf-8', maintenancePage);
    return status;
  },
  redirect: ({ location }, { response }) => {
    response.writeHead(302, { location, 'content-length': 0 }).end();
    return 302;
  },
  empty: (_fault, { response }) => {
    sendText(response, 200, jsonType, '');
    return 200;
  },
  'wrong-type': (_fault, { response, reply }) => {
    const status = reply?.status ?? 200;
    const text = reply === null ? 'OK' : JSON.stringify(reply.body);
    sendText(response, status, 'text/plain; charset=utf-8', text);
    return status;
  },
  'wrong-fields': (_fault, { response, reply }) => {
    const status = reply?.status ?? 200;
    sendText(response, status, jsonType, JSON.stringify(withWrongTypes(reply?.body ?? {})));
    return status;
  },
};

async function endCall(fault: Fault, call: EndedCall): Promise<number | null> {
  const { response, requestId } = call;
  if (fault.retryAfterSeconds !== null) {
    response.setHeader('retry-after', String(fault.retryAfterSeconds));
  }
  response.setHeader('x-sandbox-request-id', requestId);
  response.setHeader('x-sandbox-decided-by', 'fault');
  const end = endings[fault.kind];
  if (end !== undefined) return end(fault, call);
  const knowledge = { decidedBy: 'fault', tier: 'fault' };
  sendReply(response, errorB(fault.status, 'Injected fault', knowledge), requestId);
  return fault.status;
}

/**
 * Breaks the connection: `reset` with a reset, `cut` with an orderly end, `stall` by silence. In
 * the place `body` the head and half of the body go out first, and `latency` sends the rest later.
 */
async function breakOff(
  { kind, place, latencyMs }: Fault,
  { response, reply, pause }: EndedCall,
): Promise<number | null> {
  const rest = place === 'body' && reply !== null ? await sendHalf(response, reply) : null;
  if (kind === 'latency') {
    await pause(latencyMs);
    response.end(rest);
  } else if (kind === 'reset') response.socket?.resetAndDestroy();
  else {
    if (kind === 'stall') await pause(longestStallMs);
    response.socket?.destroy();
  }
  return rest === null ? null : (reply?.status ?? null);
}

/** Sends the head and half of the body; answers the other half. */
async function sendHalf(response: ServerResponse, { status, body }: WireReply): Promise<Buffer> {
  const bytes = Buffer.from(JSON.stringify(body));
  const middle = Math.floor(bytes.length / 2);
  response.writeHead(status, { 'content-type': jsonType, 'content-length': bytes.length });
  await new Promise<void>((resolve) => {
    response.write(bytes.subarray(0, middle), () => resolve());
  });
  return bytes.subarray(middle);
}

/** Numbers as texts, texts as numbers, lists as objects: valid JSON that no decoder should take. */
function withWrongTypes(value: unknown): unknown {
  if (typeof value === 'number') return String(value);
  if (typeof value === 'string') return value.length;
  if (Array.isArray(value)) return { 0: withWrongTypes(value[0] ?? null) };
  if (typeof value !== 'object' || value === null) return [value];
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]: [string, unknown]) => [name, withWrongTypes(inner)]),
  );
}
