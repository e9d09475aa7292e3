import { randomUUID } from 'node:crypto';
import pg from 'pg';

/** Of each account that is not the server's own. */
export const PASSWORD = 'a-password-of-tests';

export type CountedPool = Awaited<ReturnType<typeof countedPool>>;

/** Makes a schema, and a pool whose queries are counted, those inside transactions too. */
export async function countedPool(server: string, { options = '', ...config }: pg.PoolConfig = {}) {
  // In letters alone: a message that quotes a long run of digits is cleaned like a telephone number.
  const letters = randomUUID().replaceAll(/[\d-]/g, (digit) => 'ghijklmnop'.charAt(Number(digit)));
  const schema = `counted_${letters}`;
  const pools: pg.Pool[] = [];
  const accounts: string[] = [];
  const sent: string[] = [];
  const errors: string[] = [];
  const poolAt = (connectionString: string, onSent: Told, more = config) => {
    const path = `-c search_path=${schema} ${options}`;
    const ours = { connectionString, options: path, application_name: schema };
    const pool = new pg.Pool({ ...more, ...ours });
    pool.on('error', ignore);
    pool.on('connect', (client) => watch(client, onSent, (code) => errors.push(code)));
    pools.push(pool);
    return pool;
  };
  const pool = poolAt(server, (text) => sent.push(text));
  await pool.query(`CREATE SCHEMA ${schema}`);
  sent.length = 0;
  return {
    pool,
    /** What was sent since it was last emptied, a text for each round trip. */
    sent,
    /** The codes of PostgreSQL's errors, on every pool. */
    errors,
    /** The name that all its connections go by. */
    name: schema,
    /** Another pool on the same schema, as another process has one; what it sends is not counted. */
    another: (address = server, more = config) => poolAt(address, ignore, more),
    /** Makes an account that may enter the schema; `$` in further rights is its name. */
    account: async (rights = '') => {
      const role = `role_${randomUUID().replaceAll('-', '')}`;
      await pool.query(`CREATE ROLE ${role} LOGIN PASSWORD '${PASSWORD}';
        GRANT USAGE ON SCHEMA ${schema} TO ${role}; ${rights.replaceAll('$', role)}`);
      accounts.push(role);
      const url = Object.assign(new URL(server), { username: role, password: PASSWORD });
      return { role, url };
    },
    /** Removes the schema and the accounts, and ends every pool. */
    end: async (): Promise<void> => {
      await pool.query(`DROP SCHEMA ${schema} CASCADE`);
      for (const role of accounts) await pool.query(`DROP OWNED BY ${role}; DROP ROLE ${role}`);
      await Promise.all(pools.map((one) => one.end()));
    },
  };
}

const ignore = (): void => undefined;

type Told = (text: string) => void;
type Callback = (error: unknown, ...rest: readonly unknown[]) => unknown;

/** A query that is made before it is sent, as the store does. */
const isOwnQuery = (given: unknown): given is { callback: Callback } =>
  typeof given === 'object' && given !== null && 'submit' in given && 'callback' in given;

/** Overhears a connection's queries, those of the pool, which take a callback, and a caller's own. */
function watch(client: pg.PoolClient, onSent: Told, onError: Told): void {
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
