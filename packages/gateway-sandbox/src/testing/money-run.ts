import { findTestCard } from '../domain/outcome.ts';
import type { GatewayEvent } from '../domain/events.ts';
import { statusRows } from '../domain/ledger.ts';
import { step } from '../domain/step.ts';
import type { Command, CommandKind, Reply } from '../domain/step.ts';
import { newTenant } from '../domain/tenant.ts';
import type { Transaction } from '../domain/transaction.ts';
import { Books } from './money-books.ts';
import type { Payment } from './money-books.ts';

/** When a run begins. */
export const start = Date.UTC(2030, 0, 1);

interface SaleOptions {
  readonly card?: string;
  readonly recurringInit?: 'Y' | 'N';
}

/** The core with one tenant, what its webhooks reported, and the books of it. */
export class MoneyRun {
  readonly tenant = newTenant();
  readonly books = new Books(start);
  readonly events: GatewayEvent[] = [];
  readonly #state = new Map([['default', this.tenant]]);
  #drawn = 0;

  execute<Kind extends CommandKind>(
    command: { kind: Kind } & Omit<Command<Kind>, 'tenant' | 'kind'>,
  ): Reply<Kind> {
    // Ids count up, so that of two things of one instant the older one comes first.
    const draw = () => String((this.#drawn += 1)).padStart(12, '0');
    const random = { uuid: () => `id-${draw()}`, digits: (count: number) => draw().slice(-count) };
    const whole = { ...command, tenant: 'default' } as unknown as Command<Kind>;
    const { reply, effects } = step(this.#state, whole, this.books.now, () => random);
    for (const effect of effects) {
      if (effect.kind === 'webhook-event') this.events.push(effect.event);
    }
    return reply;
  }

  later(ms: number): void {
    this.books.now += ms;
    this.execute({ kind: 'tick' });
  }

  /** Makes a sale and books it; null: the connection was cut before it. */
  sell(
    auth: 'Y' | 'N',
    amount: number,
    { card = '4201320111111010', recurringInit = 'Y' }: SaleOptions = {},
  ): Transaction | null {
    const request = { ...requestOf('sale', amount), auth, recurringInit };
    const sale = { kind: 'sale', environment: 'staging', request, entry: entryOf(card) } as const;
    const reply = this.execute(sale);
    if (reply.kind === 'cut') return null;
    this.add(reply.transaction, { amount, isAuthorization: auth === 'Y' });
    return reply.transaction;
  }

  /** Books a payment as open: its events decide it. */
  add(transaction: Transaction, about: Pick<Payment, 'amount'> & Partial<Payment>): void {
    this.books.payments.push({
      id: transaction.id,
      paymentId: transaction.paymentId,
      session: null,
      isAuthorization: false,
      createdAt: this.books.now,
      form: null,
      token: transaction.recurringToken,
      challengeId: transaction.challenge?.id ?? null,
      state: 'open',
      captured: 0,
      isVoided: false,
      isRevoked: false,
      refunds: new Map(),
      ...about,
    });
  }

  row(id: string): Record<string, string> {
    const readings = { sameId: false, asksFor: 'either', forgets: false, lagMs: 0 } as const;
    const query = { environment: 'staging', id, now: this.books.now, ...readings } as const;
    const [row] = statusRows(this.tenant, query) ?? [];
    if (row === undefined) throw new Error(`The core has no row for ${id}.`);
    return { ...row };
  }
}

export function entryOf(number: string) {
  const card = findTestCard(number);
  if (card === null) throw new Error('A move uses a card that the core does not know.');
  return { card, cvvDeclines: false, goodUntil: Number.MAX_SAFE_INTEGER };
}

export function requestOf(merchantOrderId: string, amountMinor: number) {
  const addresses = { successUrl: 'https://shop.example/s', failureUrl: 'https://shop.example/f' };
  const customer = { customerName: null, customerKey: null };
  return { merchantOrderId, amountMinor, currency: 'SAR', ...customer, ...addresses };
}

export function nameOf(transactionId: string) {
  return { environment: 'staging', sameId: false, transactionId } as const;
}
