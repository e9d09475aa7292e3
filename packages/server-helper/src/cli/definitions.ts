import { stepTexts } from './first-contact/readings.ts';

/** What a command takes and how it ends: its help is made of this, and its options are read by it. */
export interface Definition {
  readonly does: string;
  /** What follows its name. @defaultValue options alone */
  readonly usage?: readonly string[];
  readonly about: string;
  /** Its verbs, files or steps below a title, each with what it does. */
  readonly parts?: readonly [title: string, texts: Readonly<Record<string, string>>];
  /** The options that it alone knows, as the help writes them: one with a word behind it takes a text. */
  readonly options?: Readonly<Record<string, string>>;
  /** Whether it works without a shop, so that no settings and no `pay.config.ts` are read. */
  readonly needsNoShop?: true;
  /** When it ends with 0, and when with 1. @defaultValue all is well, something was found */
  readonly ends?: readonly [well: string, found: string];
  /** What the help says of its end besides. */
  readonly note?: string;
  readonly examples: readonly string[];
}

const merchant = { 'merchant NAME': 'the option merchant of createPayments' };
const mount = { 'mount PATH': 'where the router is mounted (default /pay)' };
const yes = { yes: 'go on without asking' };
const span = {
  'since MOMENT':
    'from then on: a day, which begins in UTC, or a time with its zone, such as 2026-11-01T00:00:00+03:00',
  'until MOMENT': 'before then; that moment itself is left out',
};

const setup = {
  init: {
    does: 'writes a running shop, and installs what it needs',
    usage: ['[FOLDER] [options]'],
    about: `In an empty folder it is all that a first paid order needs, with a sandbox for a
gateway. In a project it adds what is missing: settings to .env, packages and a
script to package.json. A file that is there stays as it is, and the command
says so. It asks nothing.`,
    parts: [
      '',
      {
        '.env': 'settings, with a random secret of 256 bits',
        'pay.config.ts':
          'the orders, and what follows a payment; the shop and this program share it',
        'shop.ts': 'the server, with Express',
        'pages.ts': 'the page with <pay-button>, and the one with <pay-status>',
      },
    ],
    options: {
      mysql: 'store payments in MySQL or MariaDB, in place of a file of SQLite',
      postgres: 'store payments in PostgreSQL',
      force: 'replace files that are there; .env, package.json and .gitignore are only extended',
      'no-install': 'write files and install no packages',
    },
    needsNoShop: true,
    ends: ['written', 'the packages could not be installed'],
    examples: [
      'npm create @pay-button@latest my-shop',
      'npm create @pay-button@latest my-shop -- --mysql',
      'pay-button init',
      'pay-button init shop --no-install --json',
    ],
  },
  secret: {
    does: 'prints a new random secret of 256 bits',
    about: `It suits PAY_TOKEN_SECRET, PAY_ENCRYPTION_KEY and PAY_HEALTH_TOKEN. Nothing is
stored.`,
    needsNoShop: true,
    ends: ['printed', 'something went wrong'],
    examples: ['pay-button secret', 'echo "PAY_TOKEN_SECRET=$(pay-button secret)" >> .env'],
  },
  doctor: {
    does: 'checks the whole integration, and says how to mend it',
    about: `It says what is wrong, why, and how to mend it. It moves no money and changes
nothing: it reads the settings, asks the gateway one question with each key,
reads the database, and sends the running shop a few harmless requests.`,
    options: {
      offline: 'leave out what needs a network',
      'page URL': 'a page with <pay-button>, or its path below PUBLIC_URL',
      ...mount,
      ...merchant,
    },
    note: 'What could not be checked is no finding.',
    examples: [
      'pay-button doctor',
      'pay-button doctor --page https://shop.example/checkout/1001',
      "pay-button doctor --offline --json | jq '.checks[] | select(.code)'",
    ],
  },
  'first-contact': {
    does: 'tries a new gateway on staging, and proposes its profile',
    about: `The specification leaves 32 points open. This command asks your gateway about
those that can be seen with a key and one payment with a test card, holds the
answers against your profile (GATEWAY_PROFILE, else this kit's readings), prints
a table, and writes the profile to use. It needs no shop and no database. It
shows its steps and asks once; without a terminal and without --yes it sends
nothing. Ctrl-C ends it and names what was made.`,
    parts: [
      'Steps',
      Object.fromEntries(Object.entries(stepTexts).map(([name, { does }]) => [name, does])),
    ],
    options: {
      yes: 'take the steps without asking',
      'steps A,B': 'only these steps',
      'wait SECONDS': 'how long to wait for the payment (default 300)',
      'timeout SECONDS': 'how long to wait for each answer (default 10, at most 55)',
      'returned URL': 'where the browser ended after the payment; it may name the transaction',
      'transaction ID': 'the transaction, as the dashboard shows it',
      'session ID': 'an earlier link, for the step status',
      'order NAME': 'our name of that link’s payment',
      refund: 'refund test money: 0.01, or 0.02 where that is refused',
      'portal-writes': 'create, change and delete one webhook',
      'listen PORT': 'take notifications on this port of this machine',
      'webhook-url URL':
        'how the gateway reaches that port, where it is not on this machine (a tunnel)',
      'out FILE': 'where the profile goes (default gateway-profile.json)',
      force: 'replace that file',
      production: 'ask in production all the same: the link is then paid with real money',
    },
    ends: [
      'all that was seen is as the profile says or needs no entry',
      'something is contradicted or the run ended early',
    ],
    examples: [
      'pay-button first-contact --env-file .env.staging',
      'pay-button first-contact --yes --steps errors,portal --json',
      'GATEWAY_PROFILE=profile.json pay-button first-contact --out checked.json',
    ],
  },
  webhook: {
    does: 'list, create, delete: where the gateway sends notifications',
    usage: ['list [options]', 'create [--url URL] [--events A,B] [options]', 'delete ID [options]'],
    about: `It needs the login of the gateway's portal: GATEWAY_PORTAL_USERNAME and
GATEWAY_PORTAL_PASSWORD.`,
    parts: [
      '',
      {
        list: 'all of them',
        create:
          'one to this shop. Its secret is shown once: set it as GATEWAY_WEBHOOK_SECRET. Where there is one to the same address already, none is made',
        delete: 'ends one; it asks first',
      },
    ],
    options: {
      'url URL': 'where it goes (default: PUBLIC_URL, the mount and /webhook)',
      'events A,B': 'only these events, in the gateway’s words (default: all)',
      inactive: 'make it switched off: the dashboard or the back office switches it on',
      ...mount,
      ...yes,
    },
    ends: ['done', 'there is one already or something went wrong'],
    examples: [
      'pay-button webhook create',
      "pay-button webhook list --json | jq -r '.[].url'",
      'pay-button webhook delete wh_1 --yes',
    ],
  },
} as const satisfies Readonly<Record<string, Definition>>;

const looking = {
  list: {
    does: 'lists payments, the latest first',
    about: `The span is of their creation. It does not ask the gateway.`,
    options: {
      'state A,B': 'only payments in one of these states, such as paid,review',
      ...span,
      'search TEXT': 'an order’s id or how it begins, or the id of a transaction or an operation',
      'limit N': 'at most so many, 1 to 200 (default 50)',
      'cursor TEXT': 'the next page, as the page before names it',
      ...merchant,
    },
    ends: ['listed', 'the store cannot be read'],
    examples: [
      'pay-button list --state review,paid_late',
      "pay-button list --since 2026-11-01 --json | jq '.payments[].orderId'",
    ],
  },
  explain: {
    does: 'shows the timeline of an order’s payment',
    usage: ['ORDER [options]'],
    about: `Attempts, what the gateway said, what was decided, money operations, reviews,
and the events for your handlers. It does not ask the gateway and holds no
customer's data.`,
    options: merchant,
    ends: ['shown', 'the order has no payment or the store cannot be read'],
    examples: ['pay-button explain 1001', 'pay-button explain 1001 --json | jq .payment.state'],
  },
  reconcile: {
    does: 'compares the gateway’s word on payments with ours',
    about: `Where they differ it leaves a hint in the store, and within seconds the running
shop asks the gateway, records the answer and calls your handlers: your code
must hear of a payment in the process that has your code. Where you hold money
that the gateway does not know or confirm, there is nothing to record: it says
so, and you ask the gateway. After five questions in a row without any answer it
stops.`,
    options: {
      'since DAYS': 'payments that changed in the last so many days (default 3, at most 400)',
      'order ORDER': 'only this order',
      'rate N': 'questions a second, 1 to 20 (default 5)',
      'dry-run': 'leave no hints',
      ...merchant,
    },
    examples: [
      'pay-button reconcile',
      'pay-button reconcile --since 30 --dry-run',
      '17 3 * * *  pay-button reconcile --json >> reconcile.log',
    ],
  },
} as const satisfies Readonly<Record<string, Definition>>;

const deciding = {
  review: {
    does: 'list, accept, resolve, redeliver: what a person must review',
    usage: [
      'list [options]',
      'accept ID --why TEXT [--by NAME] [options]',
      'resolve ID --why TEXT [--by NAME] [--reopen] [options]',
      'redeliver EVENT [--by NAME] [options]',
    ],
    about: '',
    parts: [
      '',
      {
        list: 'discrepancies, unknown outcomes, proposed refunds, events whose handler kept failing',
        accept:
          'takes money as the order’s payment: the gateway is asked, and your shop for the price. The order is then paid. It needs pay.config.ts, as your own code runs',
        resolve: 'takes a review off the list. It moves no money and makes nothing paid',
        redeliver: 'hands an event to its handler anew',
      },
    ],
    options: {
      'why TEXT': 'what you found; it is stored',
      'by NAME': 'who decided or asked; it is stored, and shown by explain',
      reopen: 'let an order in review be paid anew; refund the money of a discrepancy first',
      'limit N': 'at most so many of each kind, 1 to 1000 (default 100)',
      ...yes,
      ...merchant,
    },
    ends: ['the list is empty or the review is resolved', 'something is on it or went wrong'],
    examples: [
      'pay-button review list',
      "pay-button review resolve 1001/amount_mismatch/f2d5… --why 'ticket 88'",
    ],
  },
  refund: {
    does: 'refunds a payment, in full or in part',
    usage: ['ORDER --amount AMOUNT --request-id ID [options]'],
    about: `It shows what will happen and asks first. The refund is sent once, ever: the
same request id again shows the same refund and sends nothing. It needs
pay.config.ts, because your inTransaction runs in the commits that record it;
your handlers are called by the running shop.`,
    options: {
      'amount AMOUNT': 'such as 20.00, in the order’s currency',
      'request-id ID': 'your own name of this refund, such as a ticket’s number',
      'transaction ID': 'another transaction of the order, such as a duplicate charge',
      'operation ID': 'a recurring charge of the order',
      'by NAME': 'who asks for it; it is stored, and shown by explain',
      propose: 'sends nothing before another person approves it, by operations approve',
      ...yes,
      ...merchant,
    },
    ends: ['it is pending, succeeded or proposed', 'it failed, is unknown or was not sent'],
    examples: [
      'pay-button refund 1001 --amount 20.00 --request-id ticket-88 --by Noura',
      'pay-button refund 1001 --amount 20.00 --request-id ticket-88 --yes --json',
    ],
  },
  operations: {
    does: 'list, approve, resolve: refunds and the like without an outcome',
    usage: [
      'list [options]',
      'approve ID --by NAME [options]',
      'resolve ID succeeded|failed|withdrawn --why TEXT',
    ],
    about: '',
    parts: [
      '',
      {
        list: 'those without an outcome yet: proposed, sending, pending, unknown',
        approve:
          'sends a refund that another person proposed, once, after it was decided anew. It needs pay.config.ts, as refund does',
        resolve:
          'says what a person found out about an unknown or pending one, on the gateway’s dashboard for example; withdrawn takes back a proposal. It sends nothing. The first answer is final. It needs pay.config.ts, as refund does',
      },
    ],
    options: {
      'since DAYS': 'of payments that changed in the last so many days (default 30)',
      all: 'those with an outcome too',
      'why TEXT': 'how you know; it is stored',
      'by NAME': 'who approves it, or found it out; it is stored',
      'transaction ID': 'the transaction of a sale that succeeded',
      ...yes,
      ...merchant,
    },
    ends: ['none is unknown, or it is resolved', 'one is unknown or something went wrong'],
    examples: [
      'pay-button operations list',
      "pay-button operations resolve request/ticket-88 failed --why 'not there'",
    ],
  },
} as const satisfies Readonly<Record<string, Definition>>;

/** What can be exported: what a row is, whose moment the span is of, and its columns; new ones come last. */
export const exportTexts = {
  payments: {
    is: 'one row an order, the latest created first; the span is of their creation. Taken and refunded are of all transactions of the order',
    columns:
      'createdAt orderId state amount taken refunded currency transactionId confirmedAt updatedAt',
  },
  transactions: {
    is: 'one row for money that came or is held; the span is of the moment when the gateway’s word was recorded',
    columns: 'recordedAt orderId transactionId kind amount taken refunded currency merchantOrderId',
  },
  refunds: {
    is: 'one row for each amount that the gateway showed as refunded, also one refunded on its dashboard; the span is of that moment',
    columns:
      'recordedAt orderId transactionId amount currency refundedSoFar merchantOrderId requestId operationId',
  },
  operations: {
    is: 'one row a refund, capture, void, charge or sale that was asked for; the span is of that moment',
    columns:
      'createdAt sentAt updatedAt orderId kind state amount currency transactionId requestId operationId reference reason requestedBy approvedBy resolvedBy',
  },
} as const;

export type ExportName = keyof typeof exportTexts;

const keeping = {
  export: {
    does: 'writes payments, refunds and the like as CSV or JSON lines',
    usage: ['payments|transactions|refunds|operations [options]'],
    about: `It prints CSV (RFC 4180, UTF-8) with a line of names first, or by --json one
JSON object a line. Amounts are texts with two decimals beside their currency,
times are UTC. All but payments go by the order's id. The store is read a page
at a time, so that a shop of any size fits. In CSV an apostrophe stands before
what a spreadsheet would take for a formula; JSON has texts as they are.`,
    parts: [
      'Columns, in this order; a later release adds new ones at the end',
      Object.fromEntries(
        Object.entries(exportTexts).map(([name, { is, columns }]) => [
          name,
          `${is}. ${columns.replaceAll(' ', ', ')}`,
        ]),
      ),
    ],
    options: {
      ...span,
      ...merchant,
    },
    ends: ['written', 'the store cannot be read'],
    examples: [
      'pay-button export transactions --since 2026-11-01 --until 2026-12-01',
      'pay-button export refunds --since 2026-11-01T00:00:00+03:00 > refunds.csv',
      "pay-button export payments --json | jq -s 'map(.state) | group_by(.)'",
    ],
  },
  migrate: {
    does: 'makes the tables of the store, or prints their SQL',
    usage: ['[options]', '--print [--for postgres|mysql|sqlite] [options]'],
    about: `It runs the SQL that the database has not seen, in one transaction under a lock
(MySQL commits each statement). The shop does the same when it starts, unless
its store has migrate: false. No other command makes tables.

--print shows that SQL and runs nothing; with --for it asks no database. The
text holds the environment and the merchant, so it belongs to one database. Run
it once, stopping at the first error: psql -v ON_ERROR_STOP=1 -f FILE,
mysql DATABASE < FILE, or sqlite3 -bail DATABASE < FILE.`,
    options: {
      print: 'print the SQL, for review',
      'for KIND': 'with --print: all of it, for a new postgres, mysql or sqlite',
      ...merchant,
    },
    ends: ['migrated, printed, or nothing to do', 'the database cannot be reached or refuses'],
    examples: [
      'pay-button migrate',
      'pay-button migrate --print > review.sql',
      'pay-button migrate --print --for postgres',
      'pay-button migrate --env-file .env.owner --json',
    ],
  },
  archive: {
    does: 'moves old logs and events out of the tables in daily use',
    usage: ['--before DATE [options]'],
    about: `It takes the payments that last changed before that day and have no open matter.
They, their attempts and transactions stay where they are, so that refunds go on
as before, and explain shows the same. It may run beside the shop and be stopped
and started again.

On PostgreSQL it takes DELETE on pay_log and pay_events, which the shop's own
account should not have.`,
    options: { 'before DATE': 'a day such as 2025-01-01, which begins in UTC', ...merchant },
    ends: ['done', 'the store cannot be read or written'],
    examples: [
      'pay-button archive --before 2025-01-01',
      'pay-button archive --before 2025-01-01 --env-file .env.owner --json',
    ],
  },
} as const satisfies Readonly<Record<string, Definition>>;

export const groups = { 'Set up': setup, Look: looking, Decide: deciding, Keep: keeping };

const all = { ...setup, ...looking, ...deciding, ...keeping };

export type CommandName = keyof typeof all;

export const definitions: ReadonlyMap<string, Definition> = new Map(Object.entries(all));
