import type { Target } from './target.ts';
import { bodies } from './targets/bodies.ts';
import { cardNumbers } from './targets/card-numbers.ts';
import { clientAddresses } from './targets/client-addresses.ts';
import { headers } from './targets/headers.ts';
import { json } from './targets/json.ts';
import { profiles } from './targets/profiles.ts';
import { redirects } from './targets/redirects.ts';
import { signatures } from './targets/signatures.ts';
import { tokens } from './targets/tokens.ts';

/** Everything that is searched. */
export const targets: readonly Target[] = [
  bodies,
  cardNumbers,
  clientAddresses,
  headers,
  json,
  profiles,
  redirects,
  signatures,
  tokens,
];
