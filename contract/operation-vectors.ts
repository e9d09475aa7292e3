import { readFileSync } from 'node:fs';
import { vectorFiles, type AnswerVector } from './vectors.ts';

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

/** Files with a shape of their own, which `vectors.ts` and this file name. */
const others: ReadonlySet<string> = new Set([
  'create-payment-link.json',
  'phone-numbers.json',
  'retrieve-status.json',
  'sale-hash.json',
  'webhook-signatures.json',
]);

/** The vectors of every operation but create-payment-link and retrieve-status. */
export const operationVectors: readonly OperationVectors[] = vectorFiles
  .filter((file) => !others.has(file))
  .map((file) => read(file) as OperationVectors);

export const saleHashVectors = read('sale-hash.json') as SaleHashVectors;
export const signatureVectors = read('webhook-signatures.json') as SignatureVectors;
