import { isHappening } from '../../domain/effect.ts';
import type { Happening } from '../../domain/effect.ts';
import type { LoggedRequest } from '../../request-log.ts';
import type { SandboxParts } from '../../sandbox-parts.ts';
import type { Visit } from '../../visit-log.ts';

/** Who acts: the columns of the timeline, in the order in which a payment passes them. */
export const lanes = ['browser', 'merchant', 'gateway', 'webhook', 'clock'] as const;
export type Lane = (typeof lanes)[number];

/** One line of the timeline. */
export type Moment = { readonly at: number; readonly lane: Lane; readonly towards: Lane | null } & (
  | { readonly kind: 'visit'; readonly visit: Visit }
  | { readonly kind: 'request'; readonly request: LoggedRequest }
  | { readonly kind: 'effect'; readonly effect: Happening }
);

/** Everything that happened, newest first; what happened at one instant keeps its causal order. */
export function timelineOf(
  { machine, requestLog, visits }: SandboxParts,
  tenant: string,
  shownAtMost: number,
): Moment[] {
  const moments: Moment[] = [
    ...visits.list(tenant).map((visit): Moment => ({
      at: visit.at,
      lane: visit.kind === 'sent-to-shop' ? 'gateway' : 'browser',
      towards: visit.kind === 'sent-to-shop' ? 'browser' : 'gateway',
      kind: 'visit',
      visit,
    })),
    ...requestLog.list(tenant).map((request): Moment => ({
      at: Date.parse(request.at),
      lane: request.decidedBy === 'browser-call' ? 'browser' : 'merchant',
      towards: 'gateway',
      kind: 'request',
      request,
    })),
    ...machine
      .effects(tenant)
      .filter(isHappening)
      .toReversed()
      .map((effect): Moment => ({
        at: effect.at,
        lane: laneOf(effect.kind),
        towards: isSent(effect.kind) ? 'merchant' : null,
        kind: 'effect',
        effect,
      })),
  ];
  return moments
    .toSorted((a, b) => a.at - b.at || order(a) - order(b))
    .toReversed()
    .slice(0, shownAtMost);
}

/** What the clock brings about stands in its own lane. */
function laneOf(kind: Happening['kind']): Lane {
  if (kind === 'clock-changed' || kind.endsWith('-expired') || kind.endsWith('-timed-out')) {
    return 'clock';
  }
  return /^(webhook|delivery)/.test(kind) ? 'webhook' : 'gateway';
}

function isSent(kind: Happening['kind']): boolean {
  return kind === 'webhook-delivered' || kind === 'webhook-failed';
}

/** A browser's step comes before what it brings about, and being sent away after it. */
function order({ kind, lane }: Moment): number {
  if (kind === 'visit') return lane === 'browser' ? 0 : 3;
  return kind === 'effect' ? 1 : 2;
}
