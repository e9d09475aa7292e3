import { readFileSync, readdirSync } from 'node:fs';

/** A request, and whether the contract allows it. */
export interface RequestVector {
  readonly name: string;
  readonly conforms: boolean;
  readonly body?: unknown;
  readonly query?: Readonly<Record<string, string>>;
}

/** An answer, and whether the contract allows it. */
export interface AnswerVector {
  readonly name: string;
  readonly conforms: boolean;
  readonly status: number;
  readonly body: unknown;
}

/** An answer to create-payment-link, and what it means: `created`, `rejected` or `unknown`. */
export interface LinkAnswerVector extends AnswerVector {
  readonly outcome: 'created' | 'rejected' | 'unknown';
}

/** An answer to retrieve-status, and what it means for the order of {@link StatusVectors.asked}. */
export interface StatusAnswerVector extends AnswerVector {
  readonly verdict: 'paid' | 'review' | 'failed' | 'nothing';
  readonly also?: 'duplicate_charge';
}

/** `vectors/create-payment-link.json`. */
export interface LinkVectors {
  readonly operation: string;
  readonly requests: readonly RequestVector[];
  readonly answers: readonly LinkAnswerVector[];
}

/** `vectors/retrieve-status.json`. */
export interface StatusVectors {
  readonly operation: string;
  readonly asked: {
    readonly orderId: string;
    readonly merchantOrderId: string;
    readonly sessionId: string;
    readonly amount: string;
    readonly currency: 'SAR';
  };
  readonly requests: readonly RequestVector[];
  readonly answers: readonly StatusAnswerVector[];
}

/** `vectors/phone-numbers.json`: `sent` is null where the number is refused. */
export interface PhoneVectors {
  readonly phones: readonly { readonly given: string; readonly sent: string | null }[];
}

/** A request of one operation; `input` is what the client is given for it, where it can send it. */
export interface OperationRequestVector {
  readonly name: string;
  readonly conforms: boolean;
  /** Null for an operation without an input. */
  readonly input?: Readonly<Record<string, unknown>> | null;
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** An answer, and what the client makes of it: a value, or an error of this code and outcome. */
export interface OperationAnswerVector extends AnswerVector {
  readonly returns?: unknown;
  readonly code?: string;
  readonly outcome?: string;
}

/** One file of `vectors/` that is about one operation. */
export interface OperationVectors {
  readonly operation: string;
  readonly section: string;
  readonly method: string;
  readonly requests: readonly OperationRequestVector[];
  readonly answers: readonly OperationAnswerVector[];
}

/** `vectors/sale-hash.json` (N8). */
interface SaleHashVectors {
  readonly hashes: readonly {
    readonly email: string;
    readonly password: string;
    readonly cardNumber: string;
    readonly hash: string;
  }[];
}

/** `vectors/webhook-signatures.json` (N14). */
interface SignatureVectors {
  readonly signatures: readonly {
    readonly name: string;
    readonly secret: string;
    readonly body: string;
    readonly signature: string;
  }[];
}

const folder = new URL('./vectors/', import.meta.url);

const read = (file: string): unknown => JSON.parse(readFileSync(new URL(file, folder), 'utf8'));

export const linkVectors = read('create-payment-link.json') as LinkVectors;
export const statusVectors = read('retrieve-status.json') as StatusVectors;
export const phoneVectors = read('phone-numbers.json') as PhoneVectors;

/** Files with a shape of their own. */
const others: ReadonlySet<string> = new Set([
  'create-payment-link.json',
  'phone-numbers.json',
  'retrieve-status.json',
  'sale-hash.json',
  'webhook-signatures.json',
]);

/** The vectors of every operation but create-payment-link and retrieve-status. */
export const operationVectors: readonly OperationVectors[] = readdirSync(folder)
  .toSorted()
  .filter((file) => !others.has(file))
  .map((file) => read(file) as OperationVectors);

export const saleHashVectors = read('sale-hash.json') as SaleHashVectors;
export const signatureVectors = read('webhook-signatures.json') as SignatureVectors;
