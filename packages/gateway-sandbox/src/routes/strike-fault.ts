import type { ServerResponse } from 'node:http';
import { endsTheCall } from '../faults/faults.ts';
import type { Target } from '../faults/faults.ts';
import type { CallPlace } from '../faults/fault.ts';
import type { SandboxParts } from '../sandbox-parts.ts';
import { endCall } from './end-call.ts';
import { pauseFor } from './pause.ts';
import type { WireReply } from './wire-reply.ts';

/** One call as the faults see it. */
export interface StruckCall {
  readonly parts: SandboxParts;
  readonly tenant: string;
  readonly target: Target;
  readonly response: ServerResponse;
  readonly requestId: string;
}

/** What the faults did to a call so far. */
export interface Struck {
  /** Set once the answer was given, or never will be: the status that the caller saw, if any. */
  readonly ended: { readonly status: number | null } | null;
  /** How far behind the answer to a question has to be. */
  readonly lagMs: number;
  /** The faults' places and kinds, for the requests list. */
  readonly faults: readonly string[];
}

export const notStruck: Struck = { ended: null, lagMs: 0, faults: [] };

/**
 * Lets the faults that wait at a place act on a call. Without a reply, one that spoils an answer
 * makes its own.
 */
export async function strike(
  call: StruckCall,
  place: CallPlace,
  before: Struck,
  reply: WireReply | null = null,
): Promise<Struck> {
  const { parts, tenant, target, response, requestId } = call;
  const pause = (ms: number) => pauseFor(response, parts.closing, ms);
  const taken = parts.faults.take(tenant, place, target);
  if (taken.length === 0) return before;
  let { ended, lagMs } = before;
  for (const fault of taken) {
    if (endsTheCall(fault)) {
      ended = { status: await endCall(fault, { response, requestId, reply, pause }) };
    } else if (fault.kind === 'stale') lagMs = fault.latencyMs;
    else await pause(fault.latencyMs);
  }
  const names = taken.map((fault) => `${fault.place} ${fault.kind}`);
  return { ended, lagMs, faults: [...before.faults, ...names] };
}
