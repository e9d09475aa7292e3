import { checkingHelp } from './help/checking.ts';
import { moneyHelp } from './help/money.ts';
import { setupHelp } from './help/setup.ts';
import { common, exits } from './help/shared.ts';
import { storeHelp } from './help/store.ts';

/** What `--help` prints, by command; `''` is the program itself. */
export const helpTexts: Readonly<Record<string, string>> = {
  '': `pay-button: looks after the payments of a shop.

Usage: pay-button <command> [options]

Set up
  init [FOLDER]     writes a running shop, and installs what it needs
  secret            prints a new random secret
  doctor            checks the whole integration, and says how to mend it
  first-contact     tries a new gateway on staging, and proposes its profile
  webhook           list, create, delete: where the gateway sends notifications

Look
  explain ORDER     shows the timeline of an order's payment
  reconcile         compares the gateway's word on payments with ours

Decide
  review            list, accept, resolve, redeliver: what a person must review
  refund ORDER      refunds a payment, in full or in part
  operations        list, resolve: refunds and the like without an outcome

Keep
  export            writes payments, refunds and the like as CSV or JSON lines
  migrate           makes the tables of the store, or prints their SQL
  archive           moves old logs and events out of the tables in daily use

Options
${common}
  --version         show the version

Where the package is installed, write npx pay-button. Elsewhere anyone may
own the short name: npx -p @pay-button/server-helper pay-button <command>.

Settings come from the environment, .env and pay.config.ts (.mts, .js, .mjs), as
paymentsFromEnv reads them: GATEWAY_ENVIRONMENT, GATEWAY_BASE_URL,
GATEWAY_API_KEY, PUBLIC_URL, PAY_TOKEN_SECRET, DATABASE_URL and, optional,
GATEWAY_PORTAL_USERNAME and GATEWAY_PORTAL_PASSWORD. NO_COLOR=1 turns colours
off.

${exits}

Examples
  pay-button doctor
  pay-button explain 1001
  pay-button help refund`,

  ...setupHelp,
  ...checkingHelp,
  ...moneyHelp,
  ...storeHelp,
};
