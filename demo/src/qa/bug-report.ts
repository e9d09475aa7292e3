import { createRequire } from 'node:module';
import { describeEntry, type Payments } from '@pay-button/server-helper';
import type { Request } from 'express';
import type { ShopDatabase } from '../database/shop-database.ts';
import { findOwnOrder } from '../orders/orders.ts';
import { bugOf } from '../bugs/bug-cookie.ts';
import type { QaDesk } from './qa-desk.ts';
import { orderOfPath } from './order-of-path.ts';

/** What a report is written from. */
export interface ReportParts {
  readonly desk: QaDesk;
  readonly database: Pick<ShopDatabase<never>, 'findOrder' | 'countFulfilments'>;
  readonly payments: Pick<Payments, 'explain'>;
}

const require = createRequire(import.meta.url);
const packages = ['widget', 'server-helper', 'gateway-sandbox'] as const;

/**
 * Everything that a developer asks for first, as text to paste into an issue. It holds no customer's
 * data, no card and no key; of an order only what its own shopper may see.
 */
export async function bugReport(parts: ReportParts, request: Request): Promise<string> {
  const { page } = request.query;
  const path = typeof page === 'string' && page.startsWith('/') ? page.slice(0, 200) : '/';
  const { weather } = parts.desk;
  const facts = [
    ['Page', path],
    ['Browser', (request.get('User-Agent') ?? '').slice(0, 200)],
    ['Language', (request.get('Accept-Language') ?? '').slice(0, 100)],
    ['Versions', packages.map((name) => `${name} ${versionOf(name)}`).join(', ')],
    ['Sandbox clock', weather.now],
    ['Faults', weather.profile],
    ['Bug switch', bugOf(request) ?? 'none'],
  ];
  const head = facts.map(([name, fact]) => `- ${name}: ${fact}`).join('\n');
  const order = await orderPart(parts, request, orderOfPath(path));
  return `## What happened\n\n\n## What I expected\n\n\n## Facts\n\n${head}\n${order}`;
}

async function orderPart(
  { desk, database, payments }: ReportParts,
  request: Request,
  orderId: string | undefined,
): Promise<string> {
  if (orderId === undefined) return '';
  if ((await findOwnOrder({ database }, orderId, request)) === null) return '';
  const [explain, fulfilments, requests, delivery] = await Promise.all([
    payments.explain(orderId),
    database.countFulfilments(orderId),
    desk.requestsAbout(orderId),
    desk.lastDelivery(orderId),
  ]);
  const returned = desk.returns.of(orderId);
  const timeline = explain?.timeline.map((entry) => `- ${entry.at} ${describeEntry(entry)}`) ?? [];
  const calls = requests.map(
    ({ at, operation, status, decidedBy, faults }) =>
      `- ${at} ${operation} ${status} (${decidedBy}${faults.length > 0 ? `, ${faults.join(', ')}` : ''})`,
  );
  return [
    `\n## Order ${orderId}\n`,
    `- State: ${explain?.payment.state ?? 'unpaid'}, shipped ${fulfilments} time(s)`,
    `- Browser was told: ${returned === undefined ? 'nothing' : `${returned.told}, sent to ${returned.sentTo}`}`,
    `- Last webhook: ${delivery === undefined ? 'none' : `${delivery.type} ${delivery.status}`}`,
    `\n### Timeline\n\n${timeline.join('\n')}`,
    `\n### Calls to the gateway\n\n${calls.join('\n')}\n`,
  ].join('\n');
}

function versionOf(name: (typeof packages)[number]): string {
  const manifest = require(`@pay-button/${name}/package.json`) as { readonly version: string };
  return manifest.version;
}
