import { common, commonAlone, yes } from './shared.ts';

/** Commands that set a shop up. */
export const setupHelp = {
  init: `pay-button init: writes a shop that takes payments.

Usage: pay-button init [FOLDER] [options]

In an empty folder it is all that a first paid order needs, with a sandbox for a
gateway. In a project it adds what is missing: settings to .env, packages and a
script to package.json. A file that is there stays as it is, and the command
says so. It asks nothing.

  .env              settings, with a random secret of 256 bits
  pay.config.ts     the orders, and what follows a payment; the shop and this
                    program share it
  shop.ts           the server, with Express
  pages.ts          the page with <pay-button>, and the one with <pay-status>

Options
  --force           replace files that are there; .env, package.json and
                    .gitignore are only extended
  --no-install      write files and install no packages
${commonAlone}

Exit code: 0 written, 1 the packages could not be installed, 2 used wrongly.

Examples
  npm create @pay-button@latest my-shop
  pay-button init
  pay-button init shop --no-install --json`,

  secret: `pay-button secret: prints a new random secret of 256 bits.

Usage: pay-button secret [options]

It suits PAY_TOKEN_SECRET, PAY_ENCRYPTION_KEY and PAY_HEALTH_TOKEN. Nothing is
stored.

Options
${commonAlone}

Exit code: 0.

Examples
  pay-button secret
  echo "PAY_TOKEN_SECRET=$(pay-button secret)" >> .env`,

  webhook: `pay-button webhook: the webhooks that the gateway sends to.

Usage: pay-button webhook list [options]
       pay-button webhook create [--url URL] [--events A,B] [options]
       pay-button webhook delete ID [options]

It needs the login of the gateway's portal: GATEWAY_PORTAL_USERNAME and
GATEWAY_PORTAL_PASSWORD.

  list              all of them
  create            one to this shop. Its secret is shown once: set it as
                    GATEWAY_WEBHOOK_SECRET. Where there is one to the same
                    address already, none is made
  delete            ends one; it asks first

Options
  --url URL         where it goes (default: PUBLIC_URL, the mount and /webhook)
  --events A,B      only these events, in the gateway's words (default: all)
  --inactive        make it, and send nothing by it yet
  --mount PATH      where the router is mounted (default /pay)
${yes}
${common}

Exit code: 0 done, 1 there is one already or something went wrong, 2 used
wrongly.

Examples
  pay-button webhook create
  pay-button webhook list --json | jq -r '.[].url'
  pay-button webhook delete wh_1 --yes`,
};
