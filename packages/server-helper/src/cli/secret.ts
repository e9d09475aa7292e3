import { randomBytes } from 'node:crypto';
import { type Command, UsageError } from './command.ts';

/** A secret of 256 bits, in hex: it fits into any file of settings and any shell. */
export const newSecret = (): string => randomBytes(32).toString('hex');

/** `pay-button secret` */
export const secret: Command = {
  options: {},
  needsNoShop: true,
  run({ terminal, values, words }) {
    if (words.length > 0) throw new UsageError('secret takes nothing.', 'secret');
    if (values['json'] === true) terminal.json({ secret: newSecret() });
    else terminal.line(newSecret());
    return Promise.resolve(0);
  },
};
