import { nameOf } from '../../errors.ts';
import { readClientSettings, refusalOfPage } from '../../gateway/settings.ts';
import { createGatewayClient } from '../../gateway/gateway-client.ts';
import { poolTransport } from '../../gateway/transport.ts';
import { type Invocation, textOf, UsageError, type Values } from '../command.ts';
import type { ShopSettings } from '../shop-settings.ts';
import { Conversation } from '../conversation.ts';
import { Findings } from './findings.ts';
import { GatewayLine } from './gateway-line.ts';
import { NotificationListener } from './notification-listener.ts';
import { readPlace } from './steps/pay.ts';
import type { Visit } from './visit.ts';

const NAME = 'first-contact';

/** What the steps share, by the options and the settings. */
export async function openVisit(invocation: Invocation, { options }: ShopSettings): Promise<Visit> {
  const { terminal, values, input } = invocation;
  const timeoutMs = secondsOf(values, 'timeout', 10) * 1_000;
  const { address, apiKeys, portal, profile, pageOrigins } = readClientSettings(options.gateway);
  const portalWords = portal === null ? [] : [portal.username, portal.password];
  const webhookSecrets = options.webhookSecrets ?? [];
  const transport = poolTransport(address.origin, 1);
  const visit: Visit = {
    line: new GatewayLine(transport, address.path, apiKeys[0] ?? '', timeoutMs),
    findings: new Findings(profile, [...apiKeys, ...portalWords, ...webhookSecrets]),
    conversation: new Conversation(terminal, input?.isTTY === true ? input : undefined),
    profile,
    portal,
    refusalOfPage: (page) => refusalOfPage(page, address.origin, pageOrigins),
    clientUnder: (proposed) => createGatewayClient({ ...options.gateway, profile: proposed }),
    say: (text) => terminal.error(text),
    waitMs: secondsOf(values, 'wait', 300) * 1_000,
    mayRefund: values['refund'] === true,
    mayWritePortal: values['portal-writes'] === true,
    listener: await listenerOf(values, webhookSecrets),
    made: new Map(),
    session: textOf(values, 'session'),
    orderName: textOf(values, 'order'),
    page: undefined,
    transaction: textOf(values, 'transaction'),
    returned: undefined,
    unpaid: undefined,
    history: new Map(),
    portalCredential: undefined,
    webhook: undefined,
  };
  readPlace(visit, textOf(values, 'returned') ?? '');
  return visit;
}

async function listenerOf(
  values: Values,
  secrets: readonly string[],
): Promise<NotificationListener | null> {
  const port = textOf(values, 'listen');
  const url = textOf(values, 'webhook-url');
  if (port === undefined && url === undefined) return null;
  const isPort = /^\d{1,5}$/.test(port ?? '') && Number(port) <= 65_535;
  if (!isPort) throw new UsageError('--listen takes a port, and --webhook-url needs it.', NAME);
  if (url !== undefined && !/^https?:$/.test(URL.parse(url)?.protocol ?? '')) {
    throw new UsageError('--webhook-url takes an address such as https://tunnel.example/.', NAME);
  }
  try {
    return await NotificationListener.open(Number(port), url, secrets);
  } catch (error) {
    throw new UsageError(`The port ${port} of --listen is not free (${nameOf(error)}).`, NAME);
  }
}

function secondsOf(values: Values, name: string, usual: number): number {
  const text = textOf(values, name);
  if (text === undefined) return usual;
  if (/^\d{1,4}$/.test(text) && Number(text) <= 3_600) return Number(text);
  throw new UsageError(`--${name} takes whole seconds, at most 3600.`, NAME);
}
