import { randomUUID } from 'node:crypto';
import pg from 'pg';

/** A pool on a schema of its own, which tells every round trip. */
export interface CountedPool {
  readonly pool: pg.Pool;
  /** What was sent since it was last emptied, a text for each round trip. */
  readonly sent: string[];
  /** The codes of PostgreSQL's errors, on every pool. */
  readonly errors: string[];
  /** The name that all its connections go by. */
  readonly name: string;
  /** Another pool on the same schema, as another process has one; what it sends is not counted. */
  readonly another: () => pg.Pool;
  /** Removes the schema and ends every pool. */
  readonly end: () => Promise<void>;
}

/** Makes a schema, and a pool whose queries are counted, those inside transactions too. */
export async function countedPool(
  connectionString: string,
  { options = '', ...config }: pg.PoolConfig = {},
): Promise<CountedPool> {
  // In letters alone: a message that quotes a long run of digits is cleaned like a telephone number.
  const letters = randomUUID().replaceAll(/[\d-]/g, (digit) => 'ghijklmnop'.charAt(Number(digit)));
  const schema = `counted_${letters}`;
  const pools: pg.Pool[] = [];
  const sent: string[] = [];
  const errors: string[] = [];
  const another = (onSent: (text: string) => void = ignore): pg.Pool => {
    const pool = new pg.Pool({
      ...config,
      connectionString,
      options: `-c search_path=${schema} ${options}`,
      application_name: schema,
    });
    pool.on('error', ignore);
    pool.on('connect', (client) => watch(client, onSent, (code) => errors.push(code)));
    pools.push(pool);
    return pool;
  };
  const pool = another((text) => sent.push(text));
  await pool.query(`CREATE SCHEMA ${schema}`);
  sent.length = 0;
  return {
    pool,
    sent,
    errors,
    name: schema,
    another: () => another(),
    end: async () => {
      await pool.query(`DROP SCHEMA ${schema} CASCADE`);
      await Promise.all(pools.map((one) => one.end()));
    },
  };
}

const ignore = (): void => undefined;

type Callback = (error: unknown, ...rest: readonly unknown[]) => unknown;

/** A query that is made before it is sent, as the store does. */
const isOwnQuery = (given: unknown): given is { callback: Callback } =>
  typeof given === 'object' && given !== null && 'submit' in given && 'callback' in given;

/** Overhears a connection's queries, those of the pool, which take a callback, and a caller's own. */
function watch(
  client: pg.PoolClient,
  onSent: (text: string) => void,
  onError: (code: string) => void,
): void {
  const overhear = (error: unknown): void => {
    if (error instanceof pg.DatabaseError) onError(error.code ?? '');
  };
  const query = client.query.bind(client) as (...given: readonly unknown[]) => unknown;
  const watched = (...given: readonly unknown[]): unknown => {
    const [first] = given;
    onSent(typeof first === 'string' ? first : (first as { readonly text: string }).text);
    const last = given.at(-1);
    if (isOwnQuery(first)) {
      const { callback } = first;
      first.callback = (error, ...rest) => {
        overhear(error);
        return callback(error, ...rest);
      };
    }
    if (typeof last !== 'function') {
      const result = query(...given);
      if (result instanceof Promise) result.catch(overhear);
      return result;
    }
    const callback: Callback = (error, ...rest) => {
      overhear(error);
      return (last as Callback)(error, ...rest);
    };
    return query(...given.slice(0, -1), callback);
  };
  Object.assign(client, { query: watched });
}
