import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '../clock.ts';
import { compareAttempt, type Contradiction, type StatusReadings } from '../flows/confirm/ask.ts';
import { leaveHints } from '../flows/confirm/confirm-order.ts';
import { createGatewayClient, type GatewayClient } from '../gateway/gateway-client.ts';
import { readProfile } from '../gateway/profile.ts';
import { checkOrderId } from '../ids.ts';
import { silentLogger } from '../logger.ts';
import { type Attempt, isAskable } from '../payments/attempt.ts';
import type { PaymentRecord } from '../payments/record.ts';
import type { Store } from '../stores/store.ts';
import {
  type Command,
  type ExitCode,
  type Invocation,
  noWords,
  textOf,
  wholeOf,
} from './command.ts';
import { gatewaySettings, withStore } from './shop.ts';
import { pagesSince } from './store-pages.ts';
import type { Terminal } from './terminal.ts';

const DAY_MS = 86_400_000;

/** `pay-button reconcile` */
export const reconcile: Command = async (invocation) => {
  noWords(invocation, 'Name one order by --order ORDER.');
  const { values } = invocation;
  const days = wholeOf(values, 'since', 3, 400);
  const rate = wholeOf(values, 'rate', 5, 20);
  const order = textOf(values, 'order');
  return withStore(
    invocation,
    async (store, { options }) => {
      const { status, session } = readProfile(options.gateway.profile);
      const gateway = createGatewayClient(options.gateway);
      try {
        return await report(invocation, store, gateway, {
          since: Date.now() - days * DAY_MS,
          order: order === undefined ? undefined : checkOrderId(order),
          pauseMs: 1_000 / rate,
          readings: { ...status, ...session },
          leavesHints: values['dry-run'] !== true,
        });
      } finally {
        await gateway.close();
      }
    },
    gatewaySettings,
  );
};

async function report(
  { terminal, isJson }: Invocation,
  store: Store<unknown>,
  gateway: GatewayClient,
  scope: Scope,
): Promise<ExitCode> {
  const shown: Difference[] = [];
  const tally = await reconcileOrders(store, gateway, scope, {
    found: (difference) => {
      shown.push(difference);
      if (isJson) return;
      terminal.endProgress();
      terminal.line(lineOf(terminal, difference));
    },
    progress: ({ orders, sessions, differences }) => {
      if (!isJson)
        terminal.progress(
          `${counted(orders, 'order')}, ${counted(sessions, 'session')}, ${differences} different`,
        );
    },
  });
  terminal.endProgress();
  const isUnknown = scope.order !== undefined && tally.orders === 0;
  if (isJson) terminal.json({ ...tally, found: shown });
  else if (isUnknown)
    terminal.error(`The order ${scope.order} has no payment: no link was asked for yet.`);
  else writeSummary(terminal, tally);
  return isWell(tally) && !isUnknown ? 0 : 1;
}

const isWell = ({ differences, silent, unreadable }: Tally): boolean =>
  differences + silent + unreadable === 0;

const counted = (count: number, what: string): string =>
  `${count} ${what}${count === 1 ? '' : 's'}`;

const contradictions = {
  session_unknown: 'the gateway does not know the session',
  transaction_missing: 'the gateway does not name the transaction',
  transaction_unconfirmed: 'the gateway does not confirm the transaction any more',
} as const;

function lineOf(terminal: Terminal, difference: Difference) {
  const { orderId, attempt, from, to, code, isSilent, discrepancy, isHinted } = difference;
  const about = `${terminal.paint('bold', orderId)}  attempt ${attempt}`;
  if (code !== undefined) {
    const why = isSilent ? 'the gateway did not say' : "the gateway's answer cannot be used";
    return `${terminal.paint('yellow', '?')} ${about}  ${why} (${code})`;
  }
  const mark = terminal.paint('red', '≠');
  if (discrepancy !== undefined) {
    const next = 'nothing to record: ask the gateway';
    return `${mark} ${about}  we say ${from}, ${contradictions[discrepancy]}  ${terminal.paint('dim', next)}`;
  }
  const change =
    from === to ? `${from}, with more to record` : `we say ${from}, the gateway's word means ${to}`;
  const next = isHinted
    ? 'the shop will record it'
    : 'not recorded: call payments.confirm in the shop';
  return `${mark} ${about}  ${change}  ${terminal.paint('dim', next)}`;
}

function writeSummary(terminal: Terminal, tally: Tally): void {
  const { orders, sessions, differences, silent, unreadable, hinted, isCut } = tally;
  const mark = isWell(tally) ? terminal.paint('green', '✓') : terminal.paint('red', '✗');
  terminal.line(
    `${mark} ${counted(orders, 'order')}, ${counted(sessions, 'session')} asked about: ${differences} different, ${silent} without an answer, ${unreadable} with an unusable answer, ${hinted} handed to the shop.`,
  );
  if (isCut)
    terminal.line(
      'Stopped early: the gateway refuses the key or does not answer. Run npx pay-button doctor.',
    );
}

/** Where the gateway's word and ours differ, or where the gateway gave none that can be used. */
export interface Difference {
  readonly orderId: string;
  readonly attempt: number;
  readonly from?: string;
  readonly to?: string;
  /** How the gateway contradicts money that we recorded; there is nothing for the shop to record. */
  readonly discrepancy?: Contradiction;
  /** Why nothing is known. */
  readonly code?: string;
  /** Whether the gateway gave no answer at all. */
  readonly isSilent?: boolean;
  /** Whether the running shop will ask at once. */
  readonly isHinted: boolean;
}

/** The totals of a run. */
export interface Tally {
  orders: number;
  sessions: number;
  differences: number;
  /** Questions without any answer. */
  silent: number;
  /** Answers that cannot be used. */
  unreadable: number;
  hinted: number;
  /** Whether it stopped early, because the gateway gives no answers. */
  isCut: boolean;
}

/** Which orders, and how fast. */
export interface Scope {
  readonly since: number;
  readonly order: string | undefined;
  readonly pauseMs: number;
  readonly leavesHints: boolean;
  /** How the gateway's status call answers. @defaultValue by sessions */
  readonly readings?: StatusReadings | undefined;
}

interface Progress {
  readonly found: (difference: Difference) => void;
  readonly progress: (tally: Tally) => void;
}

/** After so many questions in a row without an answer, the others would get none either. */
const MAX_SILENT_IN_A_ROW = 5;
const PROGRESS_EVERY_MS = 1_000;

/** Compares orders one after the other; the gateway is asked at most so often a second. */
export async function reconcileOrders(
  store: Store<unknown>,
  gateway: Pick<GatewayClient, 'retrieveStatus'>,
  scope: Scope,
  { found, progress }: Progress,
): Promise<Tally> {
  const counts = { orders: 0, sessions: 0, differences: 0, silent: 0, unreadable: 0, hinted: 0 };
  const tally: Tally = { ...counts, isCut: false };
  let silentInARow = 0;
  let reportedAt = Date.now();
  for await (const record of recordsOf(store, scope)) {
    tally.orders += 1;
    for (const attempt of record.attempts.filter(isAskable)) {
      tally.sessions += 1;
      const difference = await checkAt(store, gateway, record, attempt, scope);
      silentInARow = difference?.isSilent === true ? silentInARow + 1 : 0;
      if (difference !== null) {
        if (difference.code === undefined) tally.differences += 1;
        else tally[difference.isSilent === true ? 'silent' : 'unreadable'] += 1;
        if (difference.isHinted) tally.hinted += 1;
        found(difference);
      }
      if (silentInARow >= MAX_SILENT_IN_A_ROW) return { ...tally, isCut: true };
      await sleep(scope.pauseMs);
    }
    if (Date.now() - reportedAt < PROGRESS_EVERY_MS) continue;
    reportedAt = Date.now();
    progress(tally);
  }
  return tally;
}

async function* recordsOf(
  store: Store<unknown>,
  { since, order }: Scope,
): AsyncGenerator<PaymentRecord> {
  if (order === undefined) {
    for await (const page of pagesSince(store, since)) yield* page;
  } else {
    const record = await store.load(order);
    if (record !== null) yield record;
  }
}

async function checkAt(
  store: Store<unknown>,
  gateway: Pick<GatewayClient, 'retrieveStatus'>,
  record: PaymentRecord,
  attempt: Attempt,
  { leavesHints, readings }: Scope,
): Promise<Difference | null> {
  const compared = await compareAttempt({ gateway, readings }, record, attempt, Date.now());
  if (compared.outcome === 'same') return null;
  const { orderId, number } = attempt;
  const about = { orderId, attempt: number };
  if ('code' in compared) {
    const { code, outcome } = compared;
    return { ...about, code, isSilent: outcome === 'silent', isHinted: false };
  }
  if (compared.outcome === 'contradicts') {
    const { from, discrepancy } = compared;
    return { ...about, from, discrepancy, isHinted: false };
  }
  const context = { store, clock: systemClock, logger: silentLogger, inTransaction: undefined };
  const hint = leavesHints && (await leaveHints(context, orderId, [attempt], Date.now()));
  const isHinted = hint !== false && hint.isTaken;
  const { from, to } = compared;
  return { ...about, from, to, isHinted };
}
