import { guideAddress, nameOf } from '../errors.ts';

/** The error of a database, in its own terms. */
export interface DatabaseError {
  /** PostgreSQL's five letters or digits. */
  readonly sqlState?: string;
  /** SQLite's primary result code, of at most two digits; MySQL's and MariaDB's of four. */
  readonly number?: number;
  readonly message: string;
}

const MAX_CAUSES = 5;

/** The database's own error in an error or its causes; `null` where no database reported one. */
export function databaseErrorIn(error: unknown): DatabaseError | null {
  let one = error;
  for (let depth = 0; one instanceof Error && depth < MAX_CAUSES; depth += 1) {
    const { message, code, severity, errcode, errno, sqlState } = one as Error &
      Record<string, unknown>;
    if (typeof sqlState === 'string') return { number: Number(errno), message };
    // The driver's own errors have no severity.
    if (typeof code === 'string' && code.length === 5 && typeof severity === 'string') {
      return { sqlState: code, message };
    }
    if (typeof errcode === 'number') return { number: errcode & 0xff, message };
    one = one.cause;
  }
  return null;
}

const rights = `the account lacks a right; it needs USAGE on the schema, CREATE there too where it makes the tables, and SELECT, INSERT and UPDATE on the pay_ tables, see ${guideAddress('stores-and-scaling.md#which-rights')}`;
const mysqlRights = `the account lacks a right, or its address names no database that is there; it needs SELECT, INSERT, UPDATE and DELETE on the tables, and where it makes them CREATE, DROP and CREATE VIEW too, see ${guideAddress('stores-and-scaling.md#mysql-and-mariadb')}`;
const refused = 'the database refuses the account or its password';
const full = 'the disk is full';
const readOnly = 'the database is read-only, as a standby is';
const pooler =
  'a pooler does not follow prepared statements; set preparedStatements: false in postgresStore';
const held = 'others held what it needs for too long';

/** What is missing, by PostgreSQL's codes. */
const bySqlState: Readonly<Record<string, string>> = {
  '25006': readOnly,
  '26000': pooler,
  '28000': refused,
  '28P01': refused,
  '3D000': 'there is no database of that name',
  '3F000': 'the search_path of the account leads to no schema that is there and that it may use',
  '42501': rights,
  '42P01':
    'the pay_ tables are not in the search_path of the account, or another release made them',
  '42P05': pooler,
  '53100': full,
  '53300': 'the database takes no more connections',
  '55P03': held,
  '57014': held,
};

/** What is missing, by SQLite's numbers. */
const byNumber: Readonly<Record<number, string>> = {
  3: 'the file may not be used by this process',
  5: held,
  8: 'the file is read-only',
  10: 'the disk fails',
  11: 'the file is damaged',
  13: full,
  14: 'the file cannot be opened; see its path and rights',
  26: 'the file is another one than a database',
};

/** The same by MySQL's and MariaDB's numbers. */
const byLongNumber: readonly (readonly [what: string, ...numbers: readonly number[]])[] = [
  [full, 1_021, 1_114, 3_675],
  [readOnly, 1_290, 1_792, 1_836],
  [mysqlRights, 1_044, 1_142, 1_143, 1_227],
  [`${refused}, or an address without TLS`, 1_045, 1_698, 3_159],
  [held, 1_205],
  ['the database takes no more connections', 1_040, 1_203],
  ['its address names no database that is there', 1_046, 1_049],
  ['the database has no pay_ tables, or those of another release', 1_054, 1_146],
  ['this node of the cluster has lost the others', 1_047],
  ['it is older than MySQL 8.0 or MariaDB 10.6', 1_064],
];

export function adviceOf({ sqlState, number }: DatabaseError): string | undefined {
  if (sqlState !== undefined) return bySqlState[sqlState];
  const [what] = byLongNumber.find(([, ...numbers]) => numbers.includes(number ?? 0)) ?? [];
  return what ?? byNumber[number ?? 0];
}

const unknownHost = 'its host name is unknown';
const silent = 'its address does not answer; a firewall may be in between';
const untrusted = 'its certificate is not trusted by this process';
const closedPath = 'this process may not use the path of its file';

/** What is missing, by the codes of the operating system and of TLS, and by the name of our own error. */
const bySystem: Readonly<Record<string, string>> = {
  EACCES: closedPath,
  EAI_AGAIN: unknownHost,
  ECONNREFUSED: 'nothing listens at its address',
  EHOSTUNREACH: silent,
  ENOENT: 'nothing is at its path',
  ENOSPC: full,
  ENOTDIR: 'the path of its file leads through what is no folder',
  ENOTFOUND: unknownHost,
  EPERM: closedPath,
  EROFS: 'its folder is read-only',
  ETIMEDOUT: silent,
  REPLACED: 'another file is at its path than was opened; start the shop again',
  StoreDeadlineError: 'the database does not answer in time',
  DEPTH_ZERO_SELF_SIGNED_CERT: untrusted,
  HANDSHAKE_NO_SSL_SUPPORT: 'it takes no encrypted connections',
  HANDSHAKE_SSL_ERROR: `${untrusted}, or is of another host`,
  SELF_SIGNED_CERT_IN_CHAIN: untrusted,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrusted,
};

/** Why a store fails. */
export interface StoreFault {
  /** PostgreSQL's code, or else the code or the name of the error. */
  readonly code: string;
  /** `null` where the database was not reached. */
  readonly database: DatabaseError | null;
  /** What is missing, where the code says so. */
  readonly advice: string | undefined;
}

export function storeFaultOf(error: unknown): StoreFault {
  const database = databaseErrorIn(error);
  const code = database?.sqlState ?? nameOf(error);
  return { code, database, advice: database === null ? bySystem[code] : adviceOf(database) };
}

/** A code and what is missing as one text, in words of our own only. */
export const faultText = (code: string, advice: string | undefined): string =>
  advice === undefined ? code : `${code}: ${advice}`;
