import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { nameOf } from '../../errors.ts';
import { collectBody, poolTransport, type Profile, readClientSettings } from '../../parts.ts';
import { type Invocation, textOf, UsageError, type Values } from '../command.ts';
import type { ShopSettings } from '../shop.ts';
import { Conversation } from '../terminal.ts';
import { Findings } from './findings.ts';
import { type Answer, GatewayLine } from './line.ts';

/** What the steps share: the gateway, the findings, and the facts that one step learns for the next. */
export interface Visit {
  readonly line: GatewayLine;
  readonly findings: Findings;
  readonly conversation: Conversation;
  readonly profile: Profile;
  readonly hasPortal: boolean;
  readonly say: (text: string) => void;
  readonly waitMs: number;
  readonly mayRefund: boolean;
  readonly mayWritePortal: boolean;
  /** Where notifications arrive; `null` without `--listen`. */
  readonly listener: Awaited<ReturnType<typeof listenerOf>>;
  /** What the run made at the gateway, and what became of it, by a name of it. */
  readonly made: Map<string, string>;
  /** The checkout session, and our name of its payment. */
  session: string | undefined;
  orderName: string | undefined;
  page?: string | undefined;
  /** A transaction's id, from a row, from the return address or from the person. */
  transaction: string | undefined;
  returned?: string;
  /** Answers about the session before its payment, by the query's name. */
  unpaid?: AskedBoth | undefined;
  /** The words of each transaction in the order in which they were seen. */
  readonly history: Map<string, string[]>;
  /** Whether the portal took the login; absent before the first one. */
  isLoggedIn?: boolean;
  webhook?: { readonly id: string; readonly url: string };
}

/** The two names of the status query (X1). */
export const queryNames = ['id', 'sessionId'] as const;

export type QueryName = (typeof queryNames)[number];

/** What this kit's client makes of a status answer. */
export type StatusReading = 'rows' | 'no rows' | 'unknown' | 'unreadable';

export interface StatusAnswer extends Answer {
  readonly reading: StatusReading;
  /** Whether it refuses this question alone. */
  readonly isRefusal: boolean;
}

/** Two answers to one question, by the name of the query. */
export type AskedBoth = Readonly<Record<QueryName, StatusAnswer>>;

export class NotTaken extends Error {}

export function needs(isThere: boolean, why: string): asserts isThere {
  if (!isThere) throw new NotTaken(why);
}

/** A name that no site has: a shopper's browser ends there with an error, and no shop is called. */
export const RETURN_ADDRESS = 'https://first-contact.example/returned';
export const FAILURE_ADDRESS = `${RETURN_ADDRESS}/failed`;

/** Records what the run made at the gateway, and shows it at once. */
export function made({ made: list, findings, say }: Visit, name: string, state: string): void {
  const isNew = !list.has(name);
  list.set(name, state);
  if (isNew) say(`Made at the gateway: ${findings.cleanId(name)}.`);
}

/** The longest deadline that the client takes. */
const MOST_SECONDS = 55;

export async function openVisit(
  { terminal, values, input }: Invocation,
  { options: { gateway, webhookSecrets = [] } }: ShopSettings,
): Promise<Visit> {
  const timeoutMs = secondsOf(values, 'timeout', 10, MOST_SECONDS) * 1_000;
  const { address, apiKeys, portal, profile } = readClientSettings(gateway);
  const [apiKey = ''] = apiKeys;
  const portalWords = portal === null ? [] : [portal.username, portal.password];
  const lineOptions = { ...gateway, apiKey, timeoutMs };
  const visit: Visit = {
    line: new GatewayLine(poolTransport(address.origin, 1), address.path, lineOptions),
    findings: new Findings(profile, [...apiKeys, ...portalWords, ...webhookSecrets]),
    conversation: new Conversation(terminal, input?.isTTY === true ? input : undefined),
    profile,
    hasPortal: portal !== null,
    say: (text) => terminal.error(text),
    waitMs: secondsOf(values, 'wait', 300, 3_600) * 1_000,
    mayRefund: values['refund'] === true,
    mayWritePortal: values['portal-writes'] === true,
    listener: await listenerOf(values, webhookSecrets),
    made: new Map(),
    session: textOf(values, 'session'),
    orderName: textOf(values, 'order'),
    transaction: textOf(values, 'transaction'),
    history: new Map(),
  };
  readPlace(visit, textOf(values, 'returned') ?? '');
  return visit;
}

function secondsOf(values: Values, name: string, usual: number, most: number): number {
  const text = textOf(values, name);
  if (text === undefined) return usual;
  if (/^\d{1,4}$/.test(text) && Number(text) <= most) return Number(text);
  throw new UsageError(`--${name} takes whole seconds, at most ${most}.`);
}

/** Takes an address, and the transaction's id in it, or the id itself. */
export function readPlace(visit: Visit, text: string): void {
  const url = URL.parse(text);
  if (url !== null && /^https?:$/.test(url.protocol)) {
    visit.returned = text;
    if (text.startsWith(FAILURE_ADDRESS)) {
      visit.findings.note('N2', 'not seen', 'a declined card left for failureUrl');
    }
    const found = ['transactionId', 'transaction_id', 'trans_id', 'id']
      .map((name) => url.searchParams.get(name))
      .find((id) => id !== null && id !== visit.session);
    visit.transaction = found ?? visit.transaction;
  } else if (/^(?=.*\d)[\w-]{4,100}$/.test(text)) {
    visit.transaction = text;
  }
}

export interface Notification {
  readonly headers: IncomingHttpHeaders;
  /** Empty for a body that is too large or that did not arrive whole. */
  readonly body: string;
  readonly at: number;
}

const MOST_BYTES = 65_536;
const MOST_NOTIFICATIONS = 50;
const ARRIVES_WITHIN_MS = 30_000;

/** Takes the gateway's notifications while the command runs; `null` where it is not to. */
async function listenerOf(values: Values, secrets: readonly string[]) {
  const port = textOf(values, 'listen');
  const url = textOf(values, 'webhook-url');
  if (port === undefined && url === undefined) return null;
  const isPort = /^\d{1,5}$/.test(port ?? '') && Number(port) <= 65_535;
  if (!isPort) throw new UsageError('--listen takes a port, and --webhook-url needs it.');
  if (url !== undefined && !/^https?:$/.test(URL.parse(url)?.protocol ?? '')) {
    throw new UsageError('--webhook-url takes an address such as https://tunnel.example/.');
  }
  const notifications: Notification[] = [];
  const receive = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const raw = await collectBody(request, MOST_BYTES, ARRIVES_WITHIN_MS);
    // The first one is refused, so that a second delivery of it shows (N15).
    response.writeHead(notifications.length === 0 ? 503 : 200).end();
    if (notifications.length === MOST_NOTIFICATIONS) return;
    const body = raw.kind === 'bytes' ? raw.bytes.toString('utf8') : '';
    notifications.push({ headers: request.headers, body, at: performance.now() });
  };
  const server = createServer((request, response) => void receive(request, response));
  try {
    await once(server.listen(Number(port), '127.0.0.1'), 'listening');
  } catch (error) {
    throw new UsageError(`The port ${port} of --listen is not free (${nameOf(error)}).`);
  }
  const { port: bound } = server.address() as AddressInfo;
  return {
    /** Where the gateway reaches it. @defaultValue this machine */
    url: url ?? `http://127.0.0.1:${bound}/webhook`,
    secrets: [...secrets],
    notifications,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
