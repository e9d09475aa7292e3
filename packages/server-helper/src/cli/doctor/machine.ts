import { ConfigurationError, guideAddress, helpAddress, nameOf } from '../../errors.ts';
import type { Backlog, Store } from '../../index.ts';
import { isThisMachine, LATE, readProfile } from '../../parts.ts';
import { faultOf, kindOf, type ShopSettings, storeName, storeOf, unreadable } from '../shop.ts';
import { counted } from '../terminal.ts';
import * as check from './check.ts';

/** The version of Node; the program itself refuses one that is too old. */
export const checkRuntime: check.Check = async () => check.fine(`version ${process.versions.node}`);

export const checkSettings: check.Check = async ({ settings }) => {
  const { mistakes, options } = settings;
  if (mistakes.length > 0) {
    return mistakes.map(({ setting, ...finding }) => ({
      ...finding,
      status: 'wrong' as const,
      what: finding.what.includes(setting) ? finding.what : `${setting}: ${finding.what}`,
    }));
  }
  const keys = counted([options.gateway.apiKey].flat().length, 'API key');
  const secrets = counted(options.tokenSecrets.length, 'token secret');
  const summary = check.fine(`${keys}, ${secrets}, ${storeName(settings)}`);
  const { gateway, webhookSecrets } = options;
  const { asksFor, orderName } = readProfile(gateway.profile).status;
  if (asksFor === 'session' || orderName !== null || webhookSecrets !== undefined) return summary;
  // A transaction of another shopper could be claimed by its id: no row and no webhook names its order.
  const odd = check.odd('nameless_transactions', {
    what: `The profile asks for ${asksFor === 'either' ? 'sessions and transactions' : 'transactions'}, its status rows name no order, and GATEWAY_WEBHOOK_SECRET is not set.`,
    why: 'A shopper who knows or guesses the id of another’s transaction of exactly the same amount can return with it first.',
    fix: 'Ask the gateway for rows that name the order, or for ids that cannot be guessed, and set GATEWAY_WEBHOOK_SECRET.',
    help: guideAddress('security-model.md#transactions-without-a-name'),
  });
  return [summary, odd];
};

const ODD_MS = 30_000;
const WRONG_MS = 300_000;

export const checkClock: check.Check = async ({ gatewayTime }) => {
  if (gatewayTime === null) {
    const fix = 'Mend the connection to the gateway first.';
    return check.notChecked('The gateway gave no answer with a date.', fix);
  }
  // The header counts whole seconds, so half a second is its own.
  const skew = gatewayTime.gateway + 500 - gatewayTime.machine;
  const seconds = Math.round(Math.abs(skew) / 1_000);
  if (Math.abs(skew) <= ODD_MS)
    return check.fine(`within ${Math.max(1, seconds)} s of the gateway’s`);
  const finding = Math.abs(skew) > WRONG_MS ? check.wrong : check.odd;
  return finding('clock_skew', {
    what: `This machine’s clock is ${seconds} s ${skew > 0 ? 'behind' : 'ahead of'} the gateway’s.`,
    why: 'The times of status checks, and of the ends of links, would be wrong.',
    fix: 'Let the machine keep time by NTP.',
  });
};

export const checkDatabaseTls: check.Check = async ({ settings, store }) => {
  const kind = kindOf(settings.databaseUrl);
  const isOwn = settings.store !== undefined;
  if (kind === 'sqlite' && !isOwn) return check.fine('a file needs none');
  const { server } = await store();
  if (server === undefined)
    return check.notChecked('The store names no server.', 'Verify TLS where the store is made.');
  const { host, isEncrypted, isProven } = server;
  if (host === '' || host.startsWith('/') || isThisMachine(host))
    return check.fine('the database is on this machine');
  if (isProven) return check.fine('TLS checks it');
  const name = storeName(settings);
  const remedy = isOwn
    ? 'ssl: { rejectUnauthorized: true } to its pool of pg, or ssl: { verifyIdentity: true } to that of mysql2, and ca in it'
    : kind === 'mysql'
      ? 'ssl={"verifyIdentity":true} to DATABASE_URL, and NODE_EXTRA_CA_CERTS to the environment'
      : 'sslmode=verify-full to DATABASE_URL, and sslrootcert';
  const own = ' A shop whose own code gives its store a pool with TLS may ignore this.';
  return check.odd('database_unverified', {
    what: isEncrypted
      ? `The certificate of ${name} is not checked, or not for its host.`
      : `The connection to ${name} is not encrypted.`,
    why: 'An attacker between this machine and the database reads and changes every payment.',
    fix: `Add ${remedy} where the authority is your own.${isOwn ? '' : own}`,
  });
};

const DRIFT_MS = 5_000;

/** Reads the shop's store, and makes no table in it. */
export async function readStore(settings: ShopSettings): Promise<check.StoreFacts> {
  let store: Store<unknown> | undefined;
  let server: check.StoreFacts['server'];
  try {
    store = storeOf(settings);
    try {
      server = store.health.server?.();
    } catch {
      // The driver cannot read its options, which is a fault of the store.
    }
    const fault = await faultOf(store, settings);
    if (fault !== null) return { fault, server };
    await store.open(settings.scope);
    const backlog = await store.health.backlog(Date.now(), settings.handled);
    const clockOffsetMs = (await store.health.clockOffsetMs?.()) ?? null;
    return { fault, server, backlog, clockOffsetMs };
  } catch (error) {
    const [finding] = error instanceof ConfigurationError ? error.findings : [];
    return { fault: finding ?? unreadable(storeName(settings), nameOf(error)), server };
  } finally {
    await store?.close();
  }
}

export const checkStore: check.Check = async ({ settings, store }) => {
  const facts = await store();
  if (facts.fault !== null) return { status: 'wrong', ...facts.fault };
  const isWell = check.fine(`${storeName(settings)} can be read, and has all tables`);
  const offset = Math.abs(facts.clockOffsetMs ?? 0);
  if (offset <= DRIFT_MS) return isWell;
  const odd = check.odd('clock_skew', {
    what: `The database’s clock and this machine’s are ${Math.round(offset / 1_000)} s apart.`,
    why: 'The kit goes by the database’s clock, but your logs do not.',
    fix: 'Let both keep time by NTP.',
    help: check.helpOf('clock'),
  });
  return [isWell, odd];
};

const ofBacklog =
  (judge: (backlog: Backlog) => check.CheckResult): check.Check =>
  async ({ store }) => {
    const facts = await store();
    if (facts.fault === null) return judge(facts.backlog);
    return check.notChecked('The store cannot be used as it is.', 'Mend the store first.');
  };

export const checkReview = ofBacklog(({ openReviews, deadLetters }) => {
  if (openReviews + deadLetters === 0) return check.fine('nothing waits for a person');
  return check.odd('review_waiting', {
    what: `${openReviews} reviews and ${deadLetters} dead letters wait for a person.`,
    why: 'Each is money that needs a decision, or an event that your code did not handle.',
    fix: 'Run npx pay-button review list.',
    help: check.helpOf('the-review-list'),
  });
});

export const checkBackground = ofBacklog(({ oldestDueAt, oldestUndeliveredAt }) => {
  const checkMs = Date.now() - (oldestDueAt ?? Infinity);
  const eventMs = Date.now() - (oldestUndeliveredAt ?? Infinity);
  if (checkMs <= LATE.checks && eventMs <= LATE.events) {
    return check.fine('no status check and no event waits for long');
  }
  const lateMs = Math.max(checkMs, eventMs);
  return check.odd('events_overdue', {
    what: `A status check or an event waits for ${Math.floor(lateMs / 60_000)} minutes.`,
    why: 'No process does the background work: payments are found late, and handlers are not called.',
    fix: 'Call payments.start() in one process at least, or payments.tick() every minute from cron.',
    help: helpAddress('events_overdue'),
  });
});
