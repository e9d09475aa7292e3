import { createGatewayClient, type GatewayClient } from '../gateway/gateway-client.ts';
import { readProfile } from '../gateway/profile.ts';
import { checkOrderId } from '../ids.ts';
import type { Store } from '../stores/store.ts';
import { type Command, type ExitCode, textOf, UsageError } from './command.ts';
import { wholeOption } from './number-option.ts';
import { type Difference, reconcileOrders, type Tally } from './reconcile-orders.ts';
import {
  gatewaySettings,
  readShopSettings,
  requireSettings,
  storeSettings,
} from './shop-settings.ts';
import type { Terminal } from './terminal.ts';
import { withStore } from './shop-store.ts';

const DAY_MS = 86_400_000;

/** `pay-button reconcile` */
export const reconcile: Command = {
  options: { since: 'text', order: 'text', rate: 'text', 'dry-run': 'flag', merchant: 'text' },
  async run(invocation) {
    const { terminal, values, words } = invocation;
    if (words.length > 0) throw new UsageError('Name one order by --order ORDER.', 'reconcile');
    const days = wholeOption(values, { name: 'since', usual: 3, most: 400, command: 'reconcile' });
    const rate = wholeOption(values, { name: 'rate', usual: 5, most: 20, command: 'reconcile' });
    const order = textOf(values, 'order');
    const settings = readShopSettings(invocation, 'reconcile');
    requireSettings(settings, [...storeSettings, ...gatewaySettings]);
    const isJson = values['json'] === true;
    const gateway = createGatewayClient(settings.options.gateway);
    try {
      return await withStore({ settings, terminal, isJson }, (store) => {
        const { status, session } = readProfile(settings.options.gateway.profile);
        const scope = {
          since: Date.now() - days * DAY_MS,
          order: order === undefined ? undefined : checkOrderId(order),
          pauseMs: 1_000 / rate,
          readings: { ...status, ...session },
          leavesHints: values['dry-run'] !== true,
        };
        return report(terminal, isJson, store, gateway, scope);
      });
    } finally {
      await gateway.close();
    }
  },
};

async function report(
  terminal: Terminal,
  isJson: boolean,
  store: Store<unknown>,
  gateway: GatewayClient,
  scope: Parameters<typeof reconcileOrders>[2],
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
