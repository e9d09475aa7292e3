/** The options that every command takes. */
export const common = `  --env-file FILE   read settings from this file, in place of .env; what the
                    environment sets wins
  --config FILE     the options of the shop, in place of pay.config.ts
  --json            print JSON and nothing else
  --help            show this text`;

/** The options of a command that works without a shop. */
export const commonAlone = `  --json            print JSON and nothing else
  --help            show this text`;

/** The meaning of the usual exit codes. */
export const exits = 'Exit code: 0 all is well, 1 something was found, 2 used wrongly.';

/** The option of a command that a store is read by. */
export const merchant = '  --merchant NAME   the option merchant of createPayments';

/** The options of a command that asks a person first. */
export const yes = '  --yes             go on without asking';
