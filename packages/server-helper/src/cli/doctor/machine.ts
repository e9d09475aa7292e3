import { guideAddress } from '../../errors.ts';
import { readProfile } from '../../gateway/profile.ts';
import { type ShopSettings, storeName } from '../shop-settings.ts';
import { type Check, type CheckResult, fine, helpOf, notChecked } from './check.ts';

/** The version of Node; the program itself refuses one that is too old. */
export const checkRuntime: Check = {
  id: 'runtime',
  title: 'Node',
  needs: [],
  run: async () => [fine(`version ${process.versions.node}`)],
};

/** The settings, as far as they can be judged without a network. */
export const checkSettings: Check = {
  id: 'settings',
  title: 'Settings',
  needs: [],
  async run({ settings }) {
    const { mistakes, options } = settings;
    if (mistakes.length > 0) {
      return mistakes.map(({ setting, ...finding }) => ({
        ...finding,
        status: 'wrong' as const,
        what: finding.what.includes(setting) ? finding.what : `${setting}: ${finding.what}`,
      }));
    }
    const { apiKey } = options.gateway;
    const keys = Array.isArray(apiKey) ? apiKey.length : 1;
    const counted = (count: number, what: string) => `${count} ${what}${count === 1 ? '' : 's'}`;
    const secrets = counted(options.tokenSecrets.length, 'token secret');
    const summary = `${counted(keys, 'API key')}, ${secrets}, ${storeName(settings)}`;
    return [fine(summary), ...namelessTransactions(options)];
  },
};

/** A transaction of another shopper could be claimed by its id, where no row and no webhook names its order. */
function namelessTransactions({
  gateway,
  webhookSecrets,
}: ShopSettings['options']): readonly CheckResult[] {
  const { asksFor, orderName } = readProfile(gateway.profile).status;
  if (asksFor === 'session' || orderName !== null || webhookSecrets !== undefined) return [];
  return [
    {
      status: 'odd',
      code: 'nameless_transactions',
      what: `The profile asks for ${asksFor === 'either' ? 'sessions and transactions' : 'transactions'}, its status rows name no order, and GATEWAY_WEBHOOK_SECRET is not set.`,
      why: 'A shopper who knows or guesses the id of another’s transaction of exactly the same amount can return with it first.',
      fix: 'Ask the gateway for rows that name the order, or for ids that cannot be guessed, and set GATEWAY_WEBHOOK_SECRET.',
      help: guideAddress('security-model.md#transactions-without-a-name'),
    },
  ];
}

const ODD_MS = 30_000;
const WRONG_MS = 300_000;

/** This machine's clock against the gateway's, which its answers bear. */
export const checkClock: Check = {
  id: 'clock',
  title: 'Clock',
  needs: ['network', 'gateway'],
  async run({ gatewayTime }) {
    if (gatewayTime === null) {
      const fix = 'Mend the connection to the gateway first.';
      return [notChecked('clock', 'The gateway gave no answer with a date.', fix)];
    }
    // The header counts whole seconds, so half a second is its own.
    const skew = gatewayTime.gateway + 500 - gatewayTime.machine;
    const seconds = Math.round(Math.abs(skew) / 1_000);
    if (Math.abs(skew) <= ODD_MS)
      return [fine(`within ${Math.max(1, seconds)} s of the gateway’s`)];
    return [
      {
        status: Math.abs(skew) > WRONG_MS ? 'wrong' : 'odd',
        code: 'clock_skew',
        what: `This machine’s clock is ${seconds} s ${skew > 0 ? 'behind' : 'ahead of'} the gateway’s.`,
        why: 'The times of status checks, and of the ends of links, would be wrong.',
        fix: 'Let the machine keep time by NTP.',
        help: helpOf('clock'),
      },
    ];
  },
};
