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
const pooler =
  'a pooler does not follow prepared statements; set preparedStatements: false in postgresStore';
const noSchema =
  'the search_path of the account leads to no schema that is there and that it may use';
const noTables =
  'the pay_ tables are not in the search_path of the account, or another release made them';
const untrusted = 'its certificate is not trusted by this process';

/**
 * What is missing, by PostgreSQL's codes of five, SQLite's numbers of two digits, MySQL's and
 * MariaDB's of four, the codes of the operating system and of TLS, and the names of our own errors.
 */
const advices: readonly (readonly [what: string, codes: string])[] = [
  ['the database is read-only, as a standby is', '25006 1290 1792 1836'],
  [pooler, '26000 42P05'],
  [refused, '28000 28P01'],
  [`${refused}, or an address without TLS`, '1045 1698 3159'],
  ['there is no database of that name', '3D000'],
  ['its address names no database that is there', '1046 1049'],
  [noSchema, '3F000'],
  [rights, '42501'],
  [mysqlRights, '1044 1142 1143 1227'],
  [noTables, '42P01'],
  ['the database has no pay_ tables, or those of another release', '1054 1146'],
  ['the disk is full', '53100 13 1021 1114 3675 ENOSPC'],
  ['the database takes no more connections', '53300 1040 1203'],
  ['others held what it needs for too long', '55P03 57014 5 1205'],
  ['this node of the cluster has lost the others', '1047'],
  ['it is older than MySQL 8.0 or MariaDB 10.6', '1064'],
  ['the file may not be used by this process', '3'],
  ['the file is read-only', '8'],
  ['the disk fails', '10'],
  ['the file is damaged', '11'],
  ['the file cannot be opened; see its path and rights', '14'],
  ['the file is another one than a database', '26'],
  ['this process may not use the path of its file', 'EACCES EPERM'],
  ['nothing is at its path', 'ENOENT'],
  ['the path of its file leads through what is no folder', 'ENOTDIR'],
  ['its folder is read-only', 'EROFS'],
  ['another file is at its path than was opened; start the shop again', 'REPLACED'],
  ['its host name is unknown', 'EAI_AGAIN ENOTFOUND'],
  ['nothing listens at its address', 'ECONNREFUSED'],
  ['its address does not answer; a firewall may be in between', 'EHOSTUNREACH ETIMEDOUT'],
  ['the database does not answer in time', 'StoreDeadlineError'],
  ['it takes no encrypted connections', 'HANDSHAKE_NO_SSL_SUPPORT'],
  [`${untrusted}, or is of another host`, 'HANDSHAKE_SSL_ERROR'],
  [untrusted, 'DEPTH_ZERO_SELF_SIGNED_CERT SELF_SIGNED_CERT_IN_CHAIN'],
  [untrusted, 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'],
];

const adviceFor = (code: string): string | undefined =>
  advices.find(([, codes]) => codes.split(' ').includes(code))?.[0];

export const adviceOf = ({ sqlState, number }: DatabaseError): string | undefined =>
  adviceFor(sqlState ?? String(number));

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
  return { code, database, advice: database === null ? adviceFor(code) : adviceOf(database) };
}

/** A code and what is missing as one text, in words of our own only. */
export const faultText = (code: string, advice: string | undefined): string =>
  advice === undefined ? code : `${code}: ${advice}`;
