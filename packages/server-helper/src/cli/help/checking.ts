import { common, exits, merchant } from './shared.ts';

/** Commands that ask, compare and show. */
export const checkingHelp = {
  doctor: `pay-button doctor: checks the whole integration.

Usage: pay-button doctor [options]

It says what is wrong, why, and how to mend it. It moves no money and changes
nothing: it reads the settings, asks the gateway one question with each key,
reads the database, and sends the running shop a few harmless requests.

Options
  --offline         leave out what needs a network
  --page URL        a page of the shop with <pay-button>, to see whether the
                    widget is served
  --mount PATH      where the router is mounted (default /pay)
${merchant}
${common}

${exits}
What could not be checked is no finding.

Examples
  pay-button doctor
  pay-button doctor --page https://shop.example/checkout/1001
  pay-button doctor --offline --json | jq '.checks[] | select(.code)'`,

  'first-contact': `pay-button first-contact: tries a new gateway, and proposes its profile.

Usage: pay-button first-contact [options]

The specification leaves 32 points open. This command asks your gateway about
those that can be seen with a key and one payment with a test card, holds the
answers against your profile (GATEWAY_PROFILE, else this kit's readings), prints
a table, and writes the profile to use. It needs no shop and no database. It
shows its steps and asks once; without a terminal and without --yes it sends
nothing. Ctrl-C ends it and names what was made.

Steps
  errors            sends what must be refused, such as a wrong key and an empty
                    sale
  portal            logs in to the portal, and lists webhooks, API keys and SDK
                    tokens
  webhooks          creates a webhook and changes it; only with --portal-writes
  link              creates a payment link of 1.00 SAR and asks its status
  pay               shows the link and waits until you have paid it with a test
                    card
  status            asks the status of the payment in every way that circulates
  notifications     refuses the notification of the payment once, and reads it;
                    only with --listen
  refund            refunds 0.01 of the payment (else 0.02); only with --refund
  trial             reads the payment as a shop does, under the profile to
                    propose

Options
  --yes             take the steps without asking
  --steps A,B       only these steps
  --wait SECONDS    how long to wait for the payment (default 300)
  --timeout SECONDS how long to wait for each answer (default 10, at
                    most 55)
  --returned URL    where the browser ended after the payment; it may name the
                    transaction
  --transaction ID  the transaction, as the dashboard shows it
  --session ID      an earlier link, for the step status
  --order NAME      our name of that link's payment
  --refund          refund test money: 0.01, or 0.02 where that is refused
  --portal-writes   create, change and delete one webhook
  --listen PORT     take notifications on this port of this machine
  --webhook-url URL how the gateway reaches that port, where it is not on this
                    machine (a tunnel)
  --out FILE        where the profile goes (default gateway-profile.json)
  --force           replace that file
  --production      ask in production all the same: the link is then paid with
                    real money
${common}

Exit code: 0 all that was seen is as the profile says or needs no entry, 1
something is contradicted or the run ended early, 2 used wrongly.

Examples
  pay-button first-contact --env-file .env.staging
  pay-button first-contact --yes --steps errors,portal --json
  GATEWAY_PROFILE=profile.json pay-button first-contact --out checked.json`,

  reconcile: `pay-button reconcile: compares the gateway's word on payments with ours.

Usage: pay-button reconcile [options]

Where they differ it leaves a hint in the store, and within seconds the running
shop asks the gateway, records the answer and calls your handlers. It records
nothing itself, because your code must hear of a payment in the process that has
your code.

Where you hold money and the gateway does not know the session, or does not name
or confirm the transaction, there is nothing to record: it says so, and you ask
the gateway.

Answers that cannot be used are listed. After five questions in a row without
any answer it stops.

Options
  --since DAYS      payments that changed in the last so many days (default 3,
                    at most 400)
  --order ORDER     only this order
  --rate N          questions a second, 1 to 20 (default 5)
  --dry-run         leave no hints
${merchant}
${common}

${exits}

Examples
  pay-button reconcile
  pay-button reconcile --since 30 --dry-run
  17 3 * * *  pay-button reconcile --json >> reconcile.log`,

  explain: `pay-button explain: shows the timeline of an order's payment.

Usage: pay-button explain ORDER [options]

Attempts, what the gateway said, what was decided, money operations, reviews,
and the events for your handlers. It does not ask the gateway and holds no
customer's data.

Options
${merchant}
${common}

Exit code: 0 shown, 1 the order has no payment or the store cannot be read, 2
used wrongly.

Examples
  pay-button explain 1001
  pay-button explain 1001 --json | jq .payment.state`,
};
