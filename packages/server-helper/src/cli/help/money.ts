import { common, merchant, yes } from './shared.ts';

/** Commands that move money, or record what a person knows of it. */
export const moneyHelp = {
  refund: `pay-button refund: refunds a payment, in full or in part.

Usage: pay-button refund ORDER --amount AMOUNT --request-id ID [options]

It shows what will happen and asks first. The refund is sent once, ever: the
same request id again shows the same refund and sends nothing. It needs
pay.config.ts, because your inTransaction runs in the commits that record it;
your handlers are called by the running shop.

Options
  --amount AMOUNT   such as 20.00, in the order's currency
  --request-id ID   your own name of this refund, such as a ticket's number
  --transaction ID  another transaction of the order, such as a duplicate charge
  --operation ID    a recurring charge of the order
  --by NAME         who asks for it; it is stored, and shown by explain
  --propose         sends nothing before another person approves it, by
                    operations approve
${yes}
${merchant}
${common}

Exit code: 0 it is pending, succeeded or proposed, 1 it failed, is unknown or
was not sent, 2 used wrongly.

Examples
  pay-button refund 1001 --amount 20.00 --request-id ticket-88 --by Noura
  pay-button refund 1001 --amount 20.00 --request-id ticket-88 --yes --json`,

  operations: `pay-button operations: refunds, captures, voids, charges, sales.

Usage: pay-button operations list [options]
       pay-button operations approve ID --by NAME [options]
       pay-button operations resolve ID succeeded|failed --why TEXT [options]

  list              those without an outcome yet: proposed, sending, pending,
                    unknown
  approve           sends a refund that another person proposed, once, after it
                    was decided anew. It needs pay.config.ts, as refund does
  resolve           says what a person found out about an unknown or pending
                    one, on the gateway's dashboard for example; withdrawn takes
                    back a proposal. It sends nothing. The first answer is
                    final. It needs pay.config.ts, as refund does

Options
  --since DAYS      of payments that changed in the last so many days (default
                    30)
  --all             those with an outcome too
  --why TEXT        how you know; it is stored
  --by NAME         who approves it, or found it out; it is stored
  --transaction ID  the transaction of a sale that succeeded
${yes}
${merchant}
${common}

Exit code: 0 none is unknown, or it is resolved, 1 one is unknown or something
went wrong, 2 used wrongly.

Examples
  pay-button operations list
  pay-button operations resolve request/ticket-88 failed --why 'not there'`,

  review: `pay-button review: what a person must review.

Usage: pay-button review list [options]
       pay-button review accept ID --why TEXT [--by NAME] [options]
       pay-button review resolve ID --why TEXT [--by NAME] [--reopen] [options]
       pay-button review redeliver EVENT [--by NAME] [options]

  list              discrepancies, unknown outcomes, proposed refunds, events
                    whose handler kept failing
  accept            takes money as the order's payment: the gateway is asked,
                    and your shop for the price. The order is then paid. It
                    needs pay.config.ts, as your own code runs
  resolve           takes a review off the list. It moves no money and makes
                    nothing paid
  redeliver         hands an event to its handler anew

Options
  --why TEXT        what you found; it is stored
  --by NAME         who decided or asked; it is stored, and shown by explain
  --reopen          let an order in review be paid anew; refund the money of a
                    discrepancy first
  --limit N         at most so many of each kind, 1 to 1000 (default 100)
${yes}
${merchant}
${common}

Exit code: 0 the list is empty or the review is resolved, 1 something is on it
or went wrong, 2 used wrongly.

Examples
  pay-button review list
  pay-button review resolve 1001/amount_mismatch/f2d5… --why 'ticket 88'`,
};
