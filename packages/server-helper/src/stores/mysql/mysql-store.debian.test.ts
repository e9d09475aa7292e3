import type { Connection } from 'mysql2';
import mysql from 'mysql2/promise';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { makeFolder, writeSettings } from '../../../../../scripts/torture/daemon.ts';
import { makeAuthority, makeCertificate } from '../../../test-support/certificates.ts';
import { type Mariadb, startMariadb } from '../../../test-support/mariadb.ts';
import { insert, testWorkInTransactions } from '../../../test-support/work-in-transactions.ts';
import { storeConformance } from '../conformance/conformance.ts';
import { atOnce } from '../conformance/case.ts';
import { idOf, openedIn, paidChange, saveOf, taking } from '../conformance/orders.ts';
import { storeFaultOf } from '../database-error.ts';
import type { Save, Store } from '../store.ts';
import { migrations } from './migrations.ts';
import { type MysqlTransaction, mysqlStore } from './mysql-store.ts';

let mariadb: Mariadb;
let pool: mysql.Pool;
let store: Store<MysqlTransaction>;

beforeAll(async () => {
  mariadb = await startMariadb('--log-bin=log', '--innodb-default-row-format=compact');
  pool = mysql.createPool(mariadb.url);
  store = mysqlStore({ pool });
  await store.open('staging/test');
  await pool.query('CREATE TABLE shipments (id INT AUTO_INCREMENT PRIMARY KEY, order_id TEXT)');
});
beforeEach(() => pool.query('DELETE FROM shipments'));
afterAll(async () => {
  await pool.end();
  await mariadb.stop();
});

/** A pool of its own for one test, by another account or with something done to each connection. */
function anotherPool(url = mariadb.url, onConnection: (connection: Connection) => void = () => {}) {
  const own = mysql.createPool(url);
  own.pool.on('connection', onConnection);
  onTestFinished(() => own.end());
  return own;
}

describe('the MySQL store', () => {
  for (const { name, check } of storeConformance) it(name, () => check(store as Store<unknown>));

  it('migrates once when eight processes start together', async () => {
    await pool.query('CREATE DATABASE others');
    const starters = Array.from({ length: 8 }, () =>
      mysqlStore({ pool: anotherPool(mariadb.url.replace('/shop', '/others')) }),
    );
    await Promise.all(starters.map((one) => one.open('staging/test')));
    const [rows] = await pool.query('SELECT schema_version FROM others.pay_meta');
    expect(rows).toEqual([{ schema_version: migrations.length }]);
  });

  it('finishes a migration that was cut off anywhere', async () => {
    await pool.query('CREATE DATABASE half');
    const own = anotherPool(mariadb.url.replace('/shop', '/half'));
    const half = mysqlStore({ pool: own });
    const statements = (await half.schema?.pending('staging/test'))?.split(/;\n/) ?? [];
    for (const one of statements.slice(1, 5)) await own.query(one);
    await half.open('staging/test');
    expect(await half.schema?.pending('staging/test')).toBe('');
  });

  it('shows the merchant the transactions in columns', async () => {
    const opened = await openedIn(store);
    await store.save(saveOf(opened, paidChange(opened)));
    const query = 'SELECT * FROM pay_transactions WHERE order_id = ?';
    const [rows] = await pool.query(query, [idOf(opened)]);
    expect(rows).toMatchObject([{ kind: 'payment', amount: 11_500, currency: 'SAR', refunded: 0 }]);
  });

  it.each([
    ["sql_mode = ''", 'sql_mode = '],
    ["sql_mode = 'STRICT_ALL_TABLES,NO_BACKSLASH_ESCAPES'", 'NO_BACKSLASH_ESCAPES'],
    ["sql_mode = 'STRICT_ALL_TABLES,EMPTY_STRING_IS_NULL'", 'EMPTY_STRING_IS_NULL'],
    ['autocommit = 0', 'autocommit = OFF'],
    ['character_set_client = latin1', 'character_set_client = latin1'],
    ['binlog_format = STATEMENT', 'binlog_format = STATEMENT'],
    ["tx_isolation = 'READ-UNCOMMITTED'", 'READ-UNCOMMITTED'],
  ])('refuses a database that has %s, and says what to set', async (setting, told) => {
    const own = anotherPool(mariadb.url, (connection) => connection.query(`SET ${setting}`));
    const opening = mysqlStore({ pool: own }).open('staging/test');
    const message = expect.stringContaining(told);
    await expect(opening).rejects.toMatchObject({ code: 'unsafe_database_setting', message });
  });
});

it('a database that takes no large document is refused, and one of 1M is sent no more at once', async () => {
  await pool.query('SET GLOBAL max_allowed_packet = 16384');
  const opening = mysqlStore({ pool: anotherPool() }).open('staging/test');
  await expect(opening).rejects.toThrow('max_allowed_packet = 16384');
  await pool.query('SET GLOBAL max_allowed_packet = 1048576');
  const own = mysqlStore({ pool: anotherPool(), timeoutMs: 10_000 });
  const saves = (await paying(60)).map(({ record, ...rest }, place) => ({
    ...rest,
    record: { ...record, added: '€'.repeat(place < 20 ? 20_000 : 11_000) },
  }));
  const results = await Promise.all(saves.map((save) => own.save(save)));
  expect(results).toEqual(saves.map(() => ({ outcome: 'saved' })));
  await pool.query('SET GLOBAL max_allowed_packet = DEFAULT');
});

const rows = async () => (await pool.query<mysql.RowDataPacket[]>('SELECT * FROM shipments'))[0];
let payWith: ReturnType<typeof testWorkInTransactions<MysqlTransaction>>;

describe('the connection that inTransaction is given', () => {
  payWith = testWorkInTransactions<MysqlTransaction>({
    store: () => store,
    rows,
    statements: [
      'COMMIT',
      '  -- mine\n/* yes */ rollback',
      'START TRANSACTION',
      '# why\nBEGIN',
      'CREATE TABLE IF NOT EXISTS orders (id INT)',
      'ALTER TABLE shipments ADD COLUMN what TEXT',
      'truncate shipments',
      'LOCK TABLES shipments WRITE',
      'ANALYZE TABLE shipments',
      'SET @@session.autocommit = ON',
      'SET sql_mode = NO_BACKSLASH_ESCAPES',
      'USE other',
      'SET @a = 1, sql_mode = NO_BACKSLASH_ESCAPES',
      'EXECUTE IMMEDIATE "USE other"',
      'REVOKE SELECT ON mysql.* FROM nobody@localhost',
      '/*!50000 COMMIT */',
    ],
    methods: ['commit', 'rollback', 'beginTransaction', 'release', 'destroy'],
    raise: (code) => `SIGNAL SQLSTATE '40001' SET MYSQL_ERRNO = ${code}`,
    codes: ['1213', '1205', '1020'],
  });

  it('writes in the commit of the payment, in each way that mysql2 sends SQL', async () => {
    const { written } = await payWith(async (tx) => {
      await tx.query(insert);
      await tx.execute('INSERT INTO shipments (order_id) VALUES (?)', ['1002']);
      await tx.query({ sql: 'INSERT INTO shipments (order_id) VALUES (?)', values: ['1003'] });
      await tx.query('SAVEPOINT gift');
      await tx.query('SET @a = 1, @b = 2');
      await tx.query(insert);
      await tx.query('ROLLBACK TO SAVEPOINT gift');
    });
    expect(written).toEqual({ failure: null, isPaid: true, shipped: 3 });
  });

  it('reports a transaction that a hidden statement ended, also where another was begun', async () => {
    await pool.query('CREATE PROCEDURE hidden (IN what TEXT) EXECUTE IMMEDIATE what');
    const { failure } = await payWith(async (tx) => {
      await tx.query("CALL hidden('COMMIT')");
      await tx.query("CALL hidden('START TRANSACTION')");
    });
    expect(failure).toMatchObject({ message: expect.stringContaining('ended the transaction') });
  });

  it('is given again after a real deadlock, although the hook swallowed the error', async () => {
    await pool.query(`${insert}, ('1002')`);
    const ids = (await rows()).map(({ id }) => Number(id));
    let both = (): void => undefined;
    const arrived = new Promise<void>((resolve) => (both = resolve));
    let [hooks, locked] = [0, 0];
    const lockBoth = (order: readonly number[]) => async (tx: MysqlTransaction) => {
      hooks += 1;
      for (const id of order) {
        const locking = 'UPDATE shipments SET order_id = NOW(6) WHERE id = ?';
        await tx.query(locking, [id]).catch(() => undefined);
        locked += 1;
        if (locked === 2) both();
        await arrived;
      }
      await tx.query(insert);
    };
    const saved = await Promise.all([payWith(lockBoth(ids)), payWith(lockBoth(ids.toReversed()))]);
    expect(saved).toMatchObject(saved.map(() => ({ failure: null, isPaid: true })));
    expect([(await rows()).length, hooks]).toEqual([4, 3]);
  });

  it('is not blamed for a connection that breaks', async () => {
    const { failure, isPaid } = await payWith((tx) => tx.query('KILL CONNECTION_ID()'));
    expect(failure).toMatchObject({ name: 'ConnectionLostError', cause: { sqlState: '70100' } });
    expect(isPaid).toBe(false);
  });
});

/** Changes of so many orders. */
const paying = (count: number) =>
  atOnce(count, () => openedIn(store).then((opened) => saveOf(opened, paidChange(opened))));

describe('COMMIT', () => {
  /** A store whose first COMMIT is something else, before its answer is what the test says. */
  function answering(sent: string, error: object | null, timeoutMs?: number) {
    let isFirst = true;
    const own = anotherPool(mariadb.url, (connection) => {
      const query = connection.query.bind(connection) as (...given: unknown[]) => unknown;
      const answered = (options: { sql: string }, done: (error: unknown) => void): unknown => {
        if (options.sql !== 'COMMIT' || !isFirst) return query(options, done);
        isFirst = false;
        return query({ ...options, sql: sent }, () => done(Object.assign(new Error('no'), error)));
      };
      Object.assign(connection, { query: answered });
    });
    return mysqlStore(timeoutMs === undefined ? { pool: own } : { pool: own, timeoutMs });
  }

  it.each([
    ['COMMIT', { code: 'PROTOCOL_CONNECTION_LOST', fatal: true }, true],
    ['ROLLBACK', { code: 'PROTOCOL_CONNECTION_LOST', fatal: true }, false],
    ['COMMIT', { errno: 1_180, sqlState: 'HY000' }, true],
    ['ROLLBACK', { errno: 1_205, sqlState: 'HY000' }, false],
  ])('that is a %s and answered by %j says neither yes nor no', async (sent, error, isPaid) => {
    let tries = 0;
    const hook = (tx: MysqlTransaction) => {
      tries += 1;
      return tx.query(insert);
    };
    const { written } = await payWith(hook, answering(sent, error));
    const failure = expect.objectContaining({ message: 'the answer to COMMIT is unknown' });
    expect({ ...written, tries }).toEqual({ failure, isPaid, shipped: isPaid ? 1 : 0, tries: 1 });
    const [own, saves] = [answering(sent, error), await paying(2)];
    const both = await Promise.allSettled(saves.map((save) => own.save(save)));
    expect(both).toEqual(saves.map(() => ({ status: 'rejected', reason: failure })));
  });

  it('that is not answered in time ends its connection at once, and is reported as that', async () => {
    const saved = await payWith(() => undefined, answering('DO SLEEP(30)', null, 1_000));
    expect(saved).toMatchObject({ failure: { name: 'StoreDeadlineError' }, isPaid: false });
  });

  it('is tried again with all before it where a node of Galera answers by a deadlock', async () => {
    const galera = answering('ROLLBACK', { errno: 1_213, sqlState: '40001' });
    const { written } = await payWith((tx) => tx.query(insert), galera);
    expect(written).toEqual({ failure: null, isPaid: true, shipped: 1 });
  });
});

it('what another transaction holds is not taken and not saved while that lasts, and the rest is', async () => {
  const saves = await paying(20);
  const [held, named] = saves as [Save, Save];
  const other = await pool.getConnection();
  await other.beginTransaction();
  const orderId = idOf(held.record);
  await other.query('SELECT 1 FROM pay_orders WHERE order_id = ? FOR UPDATE', [orderId]);
  const names = named.names.map(({ kind, name }) => [kind, name, 'nobody']);
  await other.query('INSERT INTO pay_names (kind, name, order_id) VALUES ?', [names]);
  const saving = Promise.allSettled(saves.map((save) => store.save(save)));
  expect(await store.take(orderId, taking)).toMatchObject({ isTaken: false });
  const refused = (await saving).map(({ status }) => status === 'rejected');
  await other.rollback().finally(() => other.release());
  expect(refused).toEqual(saves.map((save) => save === held || save === named));
  expect(await store.take(orderId, taking)).toMatchObject({ isTaken: true });
  for (const save of [held, named]) expect(await store.save(save)).toEqual({ outcome: 'saved' });
});

it('a certificate counts where its authority is known, and by verifyIdentity for its own host', async () => {
  const [authority, stranger] = [makeAuthority('one authority'), makeAuthority('another')];
  const faultsAt = async (host: string, ...options: readonly object[]) => {
    const folder = makeFolder('mariadb-tls');
    const { key, cert } = makeCertificate(host, authority);
    const files = [`--ssl-cert=${writeSettings(folder, 'cert', cert)}`];
    const server = await startMariadb(...files, `--ssl-key=${writeSettings(folder, 'key', key)}`);
    onTestFinished(server.stop);
    const faults = options.map(async (ssl) => {
      const url = new URL(server.url.replace('127.0.0.1', 'localhost'));
      url.searchParams.set('ssl', JSON.stringify(ssl));
      const opening = mysqlStore({ pool: anotherPool(url.href) }).open('staging/test');
      return opening.then(() => 'open', storeFaultOf);
    });
    return Promise.all(faults);
  };
  const refused = { advice: expect.stringMatching(/not trusted .* or is of another host/) };
  const [ca, verifyIdentity] = [authority.cert, true];
  const here = await faultsAt('localhost', { ca, verifyIdentity }, { ca: stranger.cert });
  expect(here).toMatchObject(['open', refused]);
  const there = await faultsAt('db.example', { ca }, { ca, verifyIdentity });
  expect(there).toMatchObject(['open', refused]);
});

describe('a database that cannot be written', () => {
  /** What health tells of a store by an account that has some rights. */
  async function told(rights: string) {
    const url = new URL(mariadb.url);
    [url.username, url.password] = [`shop_${Math.random().toString(36).slice(2)}`, 'secret'];
    const account = `${url.username}@localhost IDENTIFIED BY 'secret'`;
    await pool.query(`GRANT ${rights} ON shop.* TO ${account}`);
    const { health } = mysqlStore({ pool: anotherPool(url.href) });
    return (await health.checkWritable?.().catch(storeFaultOf)) ?? null;
  }

  it('is told from one that can, and by the right that is missing', async () => {
    expect(await told('SELECT, INSERT, UPDATE, DELETE')).toBeNull();
    const advice = expect.stringMatching(/lacks a right, .* DELETE .*#mysql-and-mariadb$/);
    expect(await told('SELECT')).toMatchObject({ advice });
  });

  it('is told to be read-only, as a replica is', async () => {
    await pool.query('SET GLOBAL read_only = 1');
    const fault = await told('SELECT, INSERT, UPDATE, DELETE');
    await pool.query('SET GLOBAL read_only = 0');
    const advice = expect.stringContaining('read-only');
    expect(fault).toMatchObject({ code: 'ER_OPTION_PREVENTS_STATEMENT', advice });
  });

  it.each([
    [1_021, 'the disk is full'],
    [1_114, 'the disk is full'],
    [3_675, 'the disk is full'],
    [3_159, 'without TLS'],
  ])('is told by error %i: %s', (errno, words) => {
    const error = Object.assign(new Error('no'), { errno, sqlState: 'HY000', code: 'ER_NO' });
    expect(storeFaultOf(error)).toMatchObject({ advice: expect.stringContaining(words) });
  });
});
