import { ConfigurationError } from '../../errors.ts';
import type { ClientBase, PoolClient } from '../../optional-peers.ts';

/** What the owner of a client hears while the client is lent. */
interface Loan {
  /** Whether the transaction has ended: its statements are refused from then on. */
  readonly isOver: () => boolean;
  /** Is told of each statement that failed. */
  readonly onError: (error: unknown) => void;
}

/** What would take the connection from its owner. */
const ownersOnly: ReadonlySet<PropertyKey> = new Set(['connect', 'end', 'release']);

/** What begins or ends a transaction, behind white space and comments; a savepoint does neither. */
const control =
  /^(?:\s|--[^\n]*\n|\/\*[^]*?\*\/)*(begin|start\s+transaction|commit|end|abort|prepare\s+transaction|rollback(?!\s+(?:(?:work|transaction)\s+)?to\b))\b/i;

/**
 * The client as the merchant's work gets it: all that it can do, but for what belongs to the kit, its
 * connection and the beginning and the end of its transaction.
 */
export function lentClient(client: PoolClient, loan: Loan): ClientBase {
  const query = (...given: unknown[]): unknown => sendLent(client, loan, given);
  return new Proxy(client, {
    get: (target, name) => {
      if (name === 'query') return query;
      if (ownersOnly.has(name)) return () => refuse(`called ${String(name)}() on tx`);
      const member: unknown = Reflect.get(target, name);
      const isMethod = typeof member === 'function' && name !== 'constructor';
      return isMethod ? member.bind(target) : member;
    },
  });
}

/** A statement in each way that `pg` takes one: with a promise, with a callback, or as a stream. */
function sendLent(client: PoolClient, { isOver, onError }: Loan, given: unknown[]): unknown {
  const send = client.query.bind(client) as (...values: unknown[]) => unknown;
  const [statement] = given;
  const answer = given.at(-1);
  const isSubmittable = hasMember(statement, 'submit');
  try {
    if (isOver()) throw new Error(AFTER_THE_END);
    const text = hasMember(statement, 'text') ? statement['text'] : statement;
    const [, found] = control.exec(String(text)) ?? [];
    if (found !== undefined) refuse(`sent ${found.toUpperCase()}`);
  } catch (error) {
    if (isSubmittable) throw error;
    if (typeof answer !== 'function') return Promise.reject(error);
    process.nextTick(answer, error);
    return undefined;
  }
  if (isSubmittable) return send(...given);
  if (typeof answer !== 'function') {
    const sent = send(...given) as Promise<unknown>;
    return sent.catch((error: unknown) => {
      onError(error);
      throw error;
    });
  }
  return send(...given.slice(0, -1), (error: unknown, result: unknown) => {
    if (error) onError(error);
    Reflect.apply(answer, undefined, [error, result]);
  });
}

const hasMember = <Name extends string>(
  value: unknown,
  name: Name,
): value is Readonly<Record<Name, unknown>> =>
  typeof value === 'object' && value !== null && name in value;

function refuse(what: string): never {
  throw new ConfigurationError(
    'transaction_control',
    `inTransaction ${what}. The kit begins and ends the transaction, with its own change in it, and gives the connection back. Leave that out; for a part that may fail, use SAVEPOINT and ROLLBACK TO SAVEPOINT.`,
  );
}

/** A statement that came later would be outside of every transaction, on a connection of others. */
const AFTER_THE_END =
  'inTransaction sent SQL after its transaction had ended. Await every statement in it.';
