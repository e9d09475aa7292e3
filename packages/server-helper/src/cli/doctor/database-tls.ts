import { isThisMachine } from '../../gateway/settings.ts';
import { sqliteFileOf } from '../../options/settings-from-env.ts';
import { type Check, fine, helpOf } from './check.ts';

/** What `pg` verifies a certificate for; `verify-full` alone keeps its meaning in later releases. */
const VERIFIED = new Set(['verify-full', 'verify-ca', 'require', 'prefer']);

/** Whether the connection to PostgreSQL is encrypted, and to the server that is meant. */
export const checkDatabaseTls: Check = {
  id: 'database-tls',
  title: 'Database TLS',
  needs: [],
  async run({ settings: { databaseUrl } }) {
    if (sqliteFileOf(databaseUrl) !== undefined) return [fine('a file needs none')];
    const address = URL.parse(databaseUrl);
    const host = address?.searchParams.get('host') ?? address?.hostname ?? '';
    if (host === '' || host.startsWith('/') || isThisMachine(host))
      return [fine('the database is on this machine')];
    const mode = address?.searchParams.get('sslmode') ?? null;
    if (mode !== null && VERIFIED.has(mode)) return [fine(`sslmode=${mode}`)];
    return [
      {
        status: 'odd',
        code: 'database_unverified',
        what:
          mode === 'no-verify'
            ? 'The certificate of PostgreSQL is not checked (sslmode=no-verify).'
            : `The connection to PostgreSQL is not encrypted (${mode === null ? 'no sslmode' : 'sslmode=disable'}).`,
        why: 'An attacker between this machine and the database reads and changes every payment.',
        fix: 'Add sslmode=verify-full to DATABASE_URL, and sslrootcert where the authority is your own. A shop whose own code gives postgresStore a pool with TLS may ignore this.',
        help: helpOf('database-tls'),
      },
    ];
  },
};
